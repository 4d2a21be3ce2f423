import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { OFFLINE, sampleBoard, untilItFollows, waitForColumn, watchEach, type Watched } from './board-page.ts';

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

  it('keeps what is written in a card where changes can be followed no more', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const { id: otherId } = await at.admin.workspaces.create({ name: 'Other' });
    let foreign = '';
    await at.admin.pages.list({ workspaceId: otherId }, { onCursor: (cursor) => (foreign = cursor) });
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Description').fill('Written');
    at.expectStatus(page, 410);
    // A cursor of another log is refused as one is that has expired.
    const refuse = (route: Route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/since=[^&]+/, `since=${foreign}`),
      });
    const refused = page.waitForResponse((response) => response.status() === 410);
    await page.route('**/changes?**', refuse, { times: 1 });
    await untilItFollows(page);
    await refused;
    await at.admin.tasks.create({ workspaceId, boardId, title: 'Fourth' });
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Fourth']);
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
  });

  it('reads a card that was opened meanwhile, and keeps what is written in one that was open', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    at.expectStatus(page, OFFLINE);
    at.network.cut();
    await page.getByRole('main').getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByRole('dialog').getByText('cannot be reached').waitFor();
    at.network.mend();
    await page.getByLabel('Description').fill('Written');
    at.network.cut();
    await page.getByRole('main').getByRole('alert').waitFor();
    at.network.mend();
    await page.getByRole('main').getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
  });
});
