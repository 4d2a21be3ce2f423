import { expect } from 'chai';
import {
  holdChanges,
  holdWrites,
  OFFLINE,
  sampleBoard,
  until,
  untilItFollows,
  waitForColumn,
  watchEach,
  type Watched,
} from './board-page.ts';

describe('cards of the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('are moved by drag, by menu and by keyboard with the same request, and the focus stays on them', async () => {
    const moves = [];
    for (const way of ['drag', 'menu', 'keyboard'] as const) {
      const ada = await at.person(`Ada-${way}`);
      const made = await sampleBoard(ada);
      const page = await at.open(ada, '');
      await page.getByLabel('API token').fill(ada.token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const card = page.locator('.card', { hasText: 'Second' });
      if (way === 'drag') {
        await card.dragTo(page.getByRole('region', { name: /^Doing/ }).locator('ol'));
      } else if (way === 'menu') {
        await card.getByRole('button', { name: 'Move Second' }).click();
        await page.getByRole('button', { name: 'Move to Doing' }).click();
      } else {
        await page.getByRole('button', { name: 'Second', exact: true }).focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Move to Doing' }).waitFor();
        for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
      }
      await waitForColumn(page, 'Doing', ['Second']);
      await page.getByRole('status').getByText('Second: moved to Doing.').waitFor();
      expect(await page.evaluate('document.activeElement.id'), way).to.equal(`card-${made.ids[1]}`);
      const [{ method, path, body }, ...more] = at.sent(page) as [ReturnType<Watched['sent']>[number]];
      expect(more).to.deep.equal([]);
      const known = new Map([made.workspaceId, made.ids[1]!, made.statuses[1]!].map((id, i) => [id, `id ${i}`]));
      const plain = (text: string) => [...known].reduce((now, [id, name]) => now.replaceAll(id, name), text);
      moves.push([method, plain(path), plain(JSON.stringify(body))]);
    }
    const path = '/api/workspace/id 0/task/id 1';
    expect(moves[0]).to.deep.equal(['PUT', path, '{"statusId":"id 2","afterTaskId":null}']);
    expect(moves[1]).to.deep.equal(moves[0]);
    expect(moves[2]).to.deep.equal(moves[0]);
  });

  it('go up and down in their column, and before another one that they are dropped on', async () => {
    const { at: place } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move down' }).click();
    await waitForColumn(page, 'Todo', ['Second', 'First', 'Third']);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move up' }).click();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const target = page.locator('.card', { hasText: 'First' });
    await page.locator('.card', { hasText: 'Third' }).dragTo(target, { targetPosition: { x: 20, y: 4 } });
    await waitForColumn(page, 'Todo', ['Third', 'First', 'Second']);
    await page.reload();
    await waitForColumn(page, 'Todo', ['Third', 'First', 'Second']);
  });

  it('are shown where they go before the service has answered, and go back when it refuses', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Done' }).click();
    await waitForColumn(page, 'Done', ['First']);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 100 });
    at.expectStatus(page, 403);
    await letGo();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await waitForColumn(page, 'Done', []);
    await page.locator('.notice', { hasText: 'First: not moved to Done.' }).waitFor();
    // What may not be done any more is no longer offered.
    await until(page, "document.querySelectorAll('.menu, .add').length === 0");
  });

  it('stay where somebody else has put them meanwhile, and the page says so', async () => {
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdChanges(page);
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, statusId: statuses[2]! });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Doing' }).click();
    await page.locator('.notice', { hasText: 'Somebody else was faster.' }).waitFor();
    await waitForColumn(page, 'Done', ['First']);
    expect((await at.admin.tasks.get({ workspaceId, taskId: ids[0]! })).statusId).to.equal(statuses[2]);
    await letGo();
  });

  it('are moved although somebody else has changed something else of them', async () => {
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdChanges(page);
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, title: 'First of all' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Doing' }).click();
    await page.getByRole('status').getByText('First: moved to Doing.').waitFor();
    await waitForColumn(page, 'Doing', ['First of all']);
    const { statusId, title } = await at.admin.tasks.get({ workspaceId, taskId: ids[0]! });
    expect({ statusId, title }).to.deep.equal({ statusId: statuses[1], title: 'First of all' });
    await letGo();
  });

  it('are moved twice in a row, each move for the version that the one before made', async () => {
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdWrites(page);
    for (const name of ['Move to Doing', 'Move to Done']) {
      await page.getByRole('button', { name: 'Move First' }).click();
      await page.getByRole('button', { name }).click();
    }
    await waitForColumn(page, 'Done', ['First']);
    await letGo();
    await page.getByRole('status').getByText('First: moved to Done.').waitFor();
    expect(at.sent(page)).to.have.length(2);
    expect((await at.admin.tasks.get({ workspaceId, taskId: ids[0]! })).statusId).to.equal(statuses[2]);
  });

  it('are said not to be moved as often as they are not', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await page.evaluate(`
      window.said = 0;
      const seen = { childList: true, characterData: true, subtree: true };
      new MutationObserver(() => (said += 1)).observe(document.querySelector('[role=status]'), seen);
    `);
    at.expectStatus(page, OFFLINE);
    await page.context().setOffline(true);
    for (const times of [1, 2]) {
      await page.getByRole('button', { name: 'Move First' }).click();
      await page.getByRole('button', { name: 'Move to Doing' }).click();
      await until(page, `said === ${times}`);
    }
  });

  it('stay as they are without a network, and go on when it is back', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    at.expectStatus(page, OFFLINE);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Doing' }).click();
    await page.locator('.notice', { hasText: 'First: not moved to Doing.' }).waitFor();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await page.getByRole('alert').waitFor();
    await page.context().setOffline(false);
    await at.admin.tasks.create({ workspaceId, boardId, title: 'Fourth' });
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Fourth']);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('end without a word where the card was deleted while it was dragged', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await untilItFollows(page);
    await page.locator('.card', { hasText: 'First' }).hover();
    await page.mouse.down();
    const { x, y } = (await page.getByRole('region', { name: 'Doing' }).boundingBox())!;
    await page.mouse.move(x + 40, y + 60, { steps: 8 });
    await at.admin.tasks.delete({ workspaceId, taskId: ids[0]! });
    await waitForColumn(page, 'Todo', ['Second', 'Third']);
    await page.mouse.up();
    await page.locator('.card', { hasText: 'Second' }).dragTo(page.getByRole('region', { name: 'Done' }));
    await waitForColumn(page, 'Done', ['Second']);
    expect(at.sent(page)).to.have.length(1);
  });

  it('are all offered by the menu, in a window lower than that', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const names = Array.from({ length: 30 }, (_, i) => `Column ${i}`);
    for (const name of names) await at.admin.statuses.create({ workspaceId, boardId, name });
    const page = await at.open(at.admin);
    await page.setViewportSize({ width: 640, height: 400 });
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Column 29' }).click();
    await page.getByRole('status').getByText('First: moved to Column 29.').waitFor();
  });
});
