import { expect } from 'chai';
import { OFFLINE, sampleBoard, waitForColumn, watchEach, type Watched } from './board-page.ts';

/** For how long the network is cut. `npm run test:long -- board-cut` cuts it for 30 s. */
const SECONDS = Number(process.env['ESPALIER_BOARD_CUT'] ?? 1);

describe('the board in a browser, behind a network that is cut', function () {
  this.timeout(60_000 + SECONDS * 1_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('misses nothing of what is done meanwhile, and reads only that', async () => {
    const titles = Array.from({ length: 20 }, (_, i) => `Card ${i}`);
    const { workspaceId, boardId, statuses, ids } = await sampleBoard(at.admin, titles);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', titles);
    at.expectStatus(page, OFFLINE);
    at.network.cut();
    await page.getByRole('alert').waitFor();
    const cards = [...ids];
    const end = Date.now() + SECONDS * 1_000;
    for (let i = 0; i < 40 || Date.now() < end; i++) {
      const [first] = cards.splice(0, 1) as [string];
      const statusId = statuses[i % 3]!;
      if (i % 5 === 4) {
        await at.admin.tasks.delete({ workspaceId, taskId: first });
        cards.push((await at.admin.tasks.create({ workspaceId, boardId, statusId, title: `New ${i}` })).id);
      } else {
        await at.admin.tasks.update({ workspaceId, taskId: first, statusId, title: `Changed ${i}` });
        cards.push(first);
      }
      // As fast as the page is drawn: some 60 a second.
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    at.network.mend();
    for (const [i, column] of ['Todo', 'Doing', 'Done'].entries()) {
      const { items } = await at.admin.tasks.list({ workspaceId, statusId: [statuses[i]!], sort: ['position'] });
      await waitForColumn(
        page,
        column,
        items.map(({ title }) => title),
      );
    }
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(at.sent(page, ['GET']).filter(({ path }) => path.includes('/task?'))).to.have.length(1);
  });
});
