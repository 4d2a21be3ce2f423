import { sampleBoard, until, untilItFollows, waitForColumn, watchEach, type Watched } from './board-page.ts';

describe('the focus on the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('stays on a card that others move, and goes to the one beside it where they take it away', async () => {
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    const isOn = (id: string) => until(page, `document.activeElement.id === 'card-${id}'`);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await untilItFollows(page);
    await page.getByRole('button', { name: 'First', exact: true }).focus();
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, statusId: statuses[1]! });
    await waitForColumn(page, 'Doing', ['First']);
    await isOn(ids[0]!);
    await page.getByRole('button', { name: 'Second', exact: true }).focus();
    await at.admin.tasks.delete({ workspaceId, taskId: ids[1]! });
    await waitForColumn(page, 'Todo', ['Third']);
    await isOn(ids[2]!);
    // With the mouse nothing has it.
    await page.getByRole('heading', { name: 'Launch' }).click();
    await at.admin.tasks.update({ workspaceId, taskId: ids[2]!, statusId: statuses[1]! });
    await waitForColumn(page, 'Todo', []);
    await until(page, 'document.activeElement === document.body');
  });

  it('returns to the card that was opened, on the way back too and where it has moved', async () => {
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const dialog = page.getByRole('dialog');
    const open = async () => {
      await page.getByRole('button', { name: 'First', exact: true }).press('Enter');
      await dialog.getByLabel('Title').waitFor();
    };
    const isClosed = async () => {
      await dialog.waitFor({ state: 'detached' });
      await until(page, `document.activeElement.id === 'card-${ids[0]}'`);
    };
    await open();
    await page.goBack();
    await isClosed();
    await open();
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, statusId: statuses[1]! });
    await waitForColumn(page, 'Doing', ['First']);
    await page.keyboard.press('Escape');
    await isClosed();
  });
});
