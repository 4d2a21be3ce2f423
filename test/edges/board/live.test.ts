import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { holdAnswer, OFFLINE, sampleBoard, until, untilItFollows, waitForColumn } from './board-page.ts';
import { watchEach, type Watched } from './board-page.ts';

/** Whether a text is anywhere in the memory of the page's scripts, once garbage is collected. */
async function isInMemory(page: Page, text: string): Promise<boolean> {
  // The text in which a regular expression matched last, as in a test's own condition, is held until the next match.
  await page.evaluate("/./.test('.')");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  let heap = '';
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => (heap += chunk));
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devtools.detach();
  return heap.includes(text);
}

describe('the board in a browser, live', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('shows in one browser what is done in another, and reads only what has changed', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    await at.join(workspaceId, ben, 20);
    const [his, hers] = [await at.open(ben), await at.open(at.admin)];
    for (const page of [his, hers]) await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await hers.getByRole('button', { name: 'Move First' }).click();
    await hers.getByRole('button', { name: 'Move to Doing' }).click();
    await waitForColumn(his, 'Doing', ['First']);
    await his.getByLabel('Add a card to Todo').fill('Fourth');
    await his.keyboard.press('Enter');
    await waitForColumn(hers, 'Todo', ['Second', 'Third', 'Fourth']);
    await hers.getByRole('button', { name: 'Second', exact: true }).click();
    await hers.getByLabel('Add a comment').fill('Seen?');
    await hers.keyboard.press('Enter');
    await his.locator('.card', { hasText: 'Second' }).getByText('1 comment').waitFor();
    await his.getByRole('button', { name: 'Second', exact: true }).click();
    await his.getByLabel('Add a comment').fill('Seen.');
    await his.keyboard.press('Enter');
    await hers.getByRole('article').getByText('Seen.').waitFor();
    for (const page of [his, hers]) {
      const lists = at.sent(page, ['GET']).filter(({ path }) => path.includes('/task?'));
      expect(lists).to.have.length(1);
    }
  });

  it('follows columns, names and pages, and closes a card that is deleted', async () => {
    const { workspaceId, boardId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    at.expectStatus(page, 404);
    await at.admin.tasks.delete({ workspaceId, taskId: ids[0]! });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await waitForColumn(page, 'Todo', ['Second', 'Third']);
    await at.admin.statuses.update({ workspaceId, boardId, statusId: statuses[1]!, name: 'Now' });
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await at.admin.boards.update({ workspaceId, boardId, name: 'Take-off' });
    await page.getByRole('heading', { name: 'Take-off' }).waitFor();
    await until(page, "document.title === 'Take-off'");
    await at.admin.boards.create({ workspaceId, name: 'Roadmap' });
    await page.getByRole('link', { name: 'Roadmap' }).waitFor();
  });

  it('misses nothing while the network is cut, and goes on where it was', async () => {
    const { workspaceId, boardId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    at.expectStatus(page, OFFLINE, 404);
    await page.context().setOffline(true);
    await page.getByRole('alert').waitFor();
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, statusId: statuses[2]! });
    await at.admin.tasks.delete({ workspaceId, taskId: ids[1]! });
    await at.admin.tasks.create({ workspaceId, boardId, title: 'Fourth' });
    await page.context().setOffline(false);
    await waitForColumn(page, 'Todo', ['Third', 'Fourth']);
    await waitForColumn(page, 'Done', ['First']);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(at.sent(page, ['GET']).filter(({ path }) => path.includes('/task?'))).to.have.length(1);
  });

  it('forgets a board that may not be seen any more, in the page and in memory', async () => {
    const secret = 'Plan Zebra-4711';
    const { workspaceId, boardId } = await sampleBoard(at.admin, [secret]);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await waitForColumn(page, 'Todo', [secret]);
    await page.getByRole('button', { name: `Move ${secret}` }).click();
    await page.getByRole('button', { name: 'Move to Doing' }).click();
    await page.getByRole('status').getByText(`${secret}: moved to Doing.`).waitFor();
    expect(await isInMemory(page, secret)).to.equal(true);
    at.expectStatus(page, 404);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 0 });
    await until(page, '!/Zebra|Launch/.test(document.documentElement.outerHTML)');
    await page.getByText('There is no board here that you see.').or(page.getByText('A new board')).first().waitFor();
    expect(await isInMemory(page, 'Zebra')).to.equal(false);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 100 });
    await waitForColumn(page, 'Doing', [secret]);
  });

  it('keeps in memory neither pages, a board nor a card that were hidden, beside others that are still seen', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['First', 'Second', 'Third', 'Yak-own']);
    await at.admin.pages.create({ workspaceId, name: 'Yak-own', type: 'task', taskId: ids[3]! });
    const { id: parentId } = await at.admin.pages.create({ workspaceId, name: 'Yak-folder', type: 'folder' });
    const { id: boardId } = await at.admin.boards.create({ workspaceId, name: 'Yak-board', parentId });
    const { id: statusId } = await at.admin.statuses.create({ workspaceId, boardId, name: 'Yak-column' });
    await at.admin.tasks.create({ workspaceId, boardId, statusId, title: 'Yak-card' });
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben, `token=${ben.token}`);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Yak-own']);
    await page.locator(`nav a[href*="${boardId}"]`).click();
    await until(page, "document.querySelectorAll('.card').length === 1");
    await page.locator('.title').click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('nav a').nth(1).click();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Yak-own']);
    await untilItFollows(page);
    expect(await isInMemory(page, 'Yak-')).to.equal(true);
    await at.admin.access.grant({ workspaceId, pageId: parentId, memberId, access: 0 });
    await until(page, `document.querySelector('nav a[href*="${boardId}"]') === null`);
    await at.admin.access.grant({ workspaceId, pageId: ids[3]!, memberId, access: 0 });
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await untilItFollows(page);
    expect(await isInMemory(page, 'Yak-')).to.equal(false);
  });

  it('takes what is hidden from the window before it reads what is left', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin, ['Zebra', 'Other']);
    const { id: parentId } = await at.admin.pages.create({ workspaceId, name: 'Folder', type: 'folder' });
    await at.admin.pages.update({ workspaceId, pageId: boardId, parentId });
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await page.getByRole('button', { name: 'Zebra', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    await untilItFollows(page);
    // Never answered.
    await page.route(/[/]api[/]workspace$/, () => undefined);
    await at.admin.access.grant({ workspaceId, pageId: parentId, memberId, access: 0 });
    await until(page, '!/Zebra|Other|Launch|Folder/.test(document.documentElement.outerHTML)');
  });

  it('shows nothing again that went while an answer about it was on its way', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['Zebra', 'Lion', 'Other']);
    await at.admin.pages.create({ workspaceId, name: 'Lion', type: 'task', taskId: ids[1]! });
    const ben = await at.person('Ben');
    await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    at.expectStatus(page, 404);
    const left = ['Zebra', 'Lion', 'Other'];
    for (const taskId of ids.slice(0, 2)) {
      await waitForColumn(page, 'Todo', left);
      await untilItFollows(page);
      const answer = await holdAnswer(page, `**/task/${taskId}`);
      await page.getByRole('button', { name: left.shift()!, exact: true }).click();
      await answer.isThere;
      await at.admin.tasks.delete({ workspaceId, taskId });
      await waitForColumn(page, 'Todo', left);
      await answer.letGo();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await waitForColumn(page, 'Todo', left);
    }
  });

  it('forgets the workspace when one is no member any more, and signs out with the token', async () => {
    const { workspaceId } = await sampleBoard(at.admin, ['Secret plan']);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await page.getByRole('button', { name: 'Secret plan', exact: true }).click();
    await page.getByLabel('Title').waitFor();
    at.expectStatus(page, 404, 401);
    await at.admin.members.remove({ workspaceId, memberId });
    await page.getByRole('heading', { name: 'Welcome, Ben' }).waitFor();
    await until(page, '!/Secret plan|Launch|Acme/.test(document.documentElement.outerHTML)');
    const ada = await at.open(at.admin);
    await waitForColumn(ada, 'Todo', ['Secret plan']);
    at.expectStatus(ada, 401);
    const { items } = await at.admin.tokens.list();
    await at.admin.tokens.revoke({ tokenId: items[0]!.id });
    await ada.getByLabel('API token').waitFor();
    await until(ada, '!/Secret plan|Launch|Acme/.test(document.documentElement.outerHTML)');
  });

  it('offers a guest what they may do at the time', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin, ['First']);
    const cleo = await at.person('Cleo');
    const memberId = await at.join(workspaceId, cleo, 10);
    const may = (access: 0 | 100 | 300) => at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access });
    await may(100);
    const page = await at.open(cleo);
    await waitForColumn(page, 'Todo', ['First']);
    expect(await page.locator('.menu, .add, [draggable=true]').count()).to.equal(0);
    await may(300);
    await page.getByLabel('Add a card to Todo').waitFor();
    await page.getByRole('button', { name: 'Move First' }).waitFor();
    await may(100);
    await until(page, "document.querySelectorAll('.menu, .add, [draggable=true]').length === 0");
  });
});
