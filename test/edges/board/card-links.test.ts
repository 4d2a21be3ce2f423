import { expect } from 'chai';
import { sampleBoard, until, waitForColumn, watchEach, type Watched } from './board-page.ts';

describe('links of a card opened on the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('are shown, and lead to other cards, with nothing of what is hidden', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const [first, second, third] = ids as [string, string, string];
    const board = await at.admin.boards.create({ workspaceId, name: 'Secret' });
    await at.admin.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    const hidden = await at.admin.tasks.create({ workspaceId, boardId: board.id, title: 'Zebra' });
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    await at.admin.access.grant({ workspaceId, pageId: board.id, memberId, access: 0 });
    const page = await at.open(ben);
    const cards = page.locator('.card');
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    for (const [type, linkedId] of [
      ['blocks', first],
      ['parent', third],
    ] as const) {
      await at.admin.tasks.link({ workspaceId, fromTaskId: second, type, taskId: linkedId });
    }
    await at.admin.tasks.link({ workspaceId, fromTaskId: first, type: 'relates', taskId: hidden.id });
    await cards.filter({ hasText: 'First' }).getByText('Blocked').waitFor();
    await cards.filter({ hasText: 'Third' }).getByText('0 of 1 children done').waitFor();
    await page.getByRole('button', { name: 'First', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: '#2 Second' }).waitFor();
    expect(await dialog.locator('details').first().getByRole('listitem').allTextContents()).to.deep.equal([
      'blocked by #2 Second',
      'relates to a card that is deleted or hidden from you',
    ]);
    await at.admin.tasks.update({ workspaceId, taskId: second, complete: true });
    await dialog.getByRole('link', { name: '#2 Second ✓' }).click();
    await dialog.getByRole('heading', { name: '#2 Second' }).waitFor();
    await dialog.getByRole('link', { name: '#3 Third' }).waitFor();
    await page.keyboard.press('Escape');
    await cards.filter({ hasText: 'Third' }).getByText('1 of 1 children done').waitFor();
    await cards.filter({ hasText: 'Blocked' }).waitFor({ state: 'detached' });
    // What is deleted blocks nothing and is nobody's child, on other boards neither.
    await at.admin.tasks.update({ workspaceId, taskId: second, complete: false });
    await cards.filter({ hasText: 'Blocked' }).waitFor();
    await at.admin.tasks.delete({ workspaceId, taskId: second });
    await waitForColumn(page, 'Todo', ['First', 'Third']);
    await until(page, "!/Blocked|children/.test(document.querySelector('.columns').textContent)");
    await at.admin.access.grant({ workspaceId, pageId: board.id, memberId, access: 100 });
    await at.admin.tasks.link({ workspaceId, fromTaskId: hidden.id, type: 'blocks', taskId: first });
    await cards.filter({ hasText: 'Blocked' }).waitFor();
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await dialog.getByRole('link', { name: '#4 Zebra' }).first().waitFor();
    await at.admin.tasks.delete({ workspaceId, taskId: hidden.id });
    await cards.filter({ hasText: 'Blocked' }).waitFor({ state: 'detached' });
    await until(page, '!/Zebra/.test(document.body.textContent)');
  });

  it('are all shown where they are more than a list has at once', async () => {
    const { workspaceId, boardId, ids } = await sampleBoard(at.admin, ['First']);
    const [first] = ids as [string];
    const titles = Array.from({ length: 100 }, (_, i) => `Card ${i}`);
    for (const isFrom of [true, false]) {
      for (const type of ['parent', 'blocks', 'duplicates'] as const) {
        const tasks = titles.map((title) => ({ boardId, title: `${title} ${type}` }));
        const made = isFrom && type === 'parent' ? [] : await at.admin.tasks.createMany({ workspaceId, tasks });
        for (const { id } of made) {
          const [fromTaskId, taskId] = isFrom ? [first, id] : [id, first];
          await at.admin.tasks.link({ workspaceId, fromTaskId, type, taskId });
        }
      }
    }
    const tasks = titles.map((title) => ({ boardId, title: `${title} relates` }));
    for (const { id: taskId } of await at.admin.tasks.createMany({ workspaceId, tasks })) {
      await at.admin.tasks.link({ workspaceId, fromTaskId: first, type: 'relates', taskId });
    }
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await until(page, "document.querySelectorAll('details li').length === 600");
    expect(await page.getByText('a card that is deleted or hidden from you').count()).to.equal(0);
  });

  it('are never those that an older answer tells, once a newer one has come', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const board = await at.admin.boards.create({ workspaceId, name: 'Secret' });
    await at.admin.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    const { id: taskId } = await at.admin.tasks.create({ workspaceId, boardId: board.id, title: 'Zebra' });
    await at.admin.tasks.link({ workspaceId, fromTaskId: ids[0]!, type: 'relates', taskId });
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    let answer: (() => Promise<void>) | undefined;
    const isHeld = new Promise<void>((held) => {
      void page.route(
        /linkedTo/,
        async (route) => {
          const response = await route.fetch();
          answer = () => route.fulfill({ response });
          held();
        },
        { times: 1 },
      );
    });
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await isHeld;
    await at.admin.access.grant({ workspaceId, pageId: board.id, memberId, access: 0 });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('a card that is deleted or hidden from you').waitFor();
    const answered = page.waitForResponse(/linkedTo/);
    await answer!();
    await (await answered).finished();
    await until(page, 'true');
    expect(await dialog.getByText('Zebra').count()).to.equal(0);
  });
});
