import { expect } from 'chai';
import { DAY } from '../../fixtures/world/world.ts';
import { holdWrites, openedCard, sampleBoard, until, waitForColumn, watchEach, type Watched } from './board-page.ts';

describe('a card opened on the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('is changed by what was changed in the form, and nothing else is sent', async () => {
    const { page, stored, dialog, taskId } = await openedCard(at);
    await page.getByLabel('Description').fill('Line one\nLine two');
    await page.getByLabel('End').fill('2026-12-24');
    await page.getByRole('group', { name: 'priority' }).getByLabel('High').check();
    await page.getByRole('group', { name: 'assignees' }).getByLabel('Ada').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { memberId } = await at.admin.workspaces.get({ workspaceId: (await stored()).workspaceId });
    expect(at.sent(page).map(({ body }) => body)).to.deep.equal([
      { description: 'Line one\nLine two', plannedEndDate: '2026-12-24', priority: 300, assignees: [memberId] },
    ]);
    const { description, dateEnd, priority, assignees, title } = await stored();
    expect({ description, dateEnd, priority, assignees, title }).to.deep.equal({
      description: 'Line one\nLine two',
      dateEnd: '2026-12-24',
      priority: 300,
      assignees: [memberId],
      title: 'First',
    });
    expect(await page.evaluate('document.activeElement.id')).to.equal(`card-${taskId}`);
    await page.locator('.card', { hasText: 'First' }).getByText('2026-12-24').waitFor();
  });

  it('keeps the assignees when it is saved before those who may be are known', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const { memberId } = await at.admin.workspaces.get({ workspaceId });
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, assignees: [memberId] });
    const page = await at.open(at.admin);
    await page.route('**/access/members**', () => undefined);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Title').fill('Still of Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(at.sent(page).map(({ body }) => body)).to.deep.equal([{ title: 'Still of Ada' }]);
  });

  it('keeps the tags of a card of another board, and a text as it was written', async () => {
    const { workspaceId, ids, at: place } = await sampleBoard(at.admin);
    const { id: boardId } = await at.admin.boards.create({ workspaceId, name: 'Ops' });
    await at.admin.statuses.create({ workspaceId, boardId, name: 'Open' });
    const { id: tagId } = await at.admin.tags.create({ workspaceId, boardId, name: 'urgent', color: 'red' });
    const description = '    indented\r\nLast line\n';
    const card = { title: 'Elsewhere', description, tags: [tagId] };
    const { id: taskId } = await at.admin.tasks.create({ workspaceId, boardId, ...card });
    await at.admin.tasks.link({ workspaceId, fromTaskId: ids[0]!, type: 'relates', taskId });
    const page = await at.open(at.admin);
    await page.goto(`${at.url}/board#${place}`);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Elsewhere' }).click();
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
    await page.getByLabel('Title').fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(at.sent(page).map(({ body }) => body)).to.deep.equal([{ title: 'Renamed' }]);
    const stored = await at.admin.tasks.get({ workspaceId, taskId });
    expect([stored.description, stored.tags]).to.deep.equal([description, [tagId]]);
  });

  it('shows the change on the board at once, and takes it back when it is refused', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Title').fill('Mine');
    const letGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForColumn(page, 'Todo', ['Mine', 'Second', 'Third']);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 100 });
    at.expectStatus(page, 403);
    await letGo();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
  });

  it('is never overwritten: what somebody else made of it is shown, and one says what is to be', async () => {
    const { page, stored, workspaceId, taskId, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await at.admin.tasks.update({ workspaceId, taskId, title: 'Theirs', description: 'Also theirs' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Somebody else changed this card while you did.').waitFor();
    expect(await dialog.getByRole('alert').getByRole('listitem').allTextContents()).to.deep.equal([
      'title: Theirs',
      'description: Also theirs',
    ]);
    expect((await stored()).title).to.equal('Theirs');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { title, description } = await stored();
    expect({ title, description }).to.deep.equal({ title: 'Mine', description: 'Also theirs' });
  });

  it('goes on from what somebody else made of it, where one takes that', async () => {
    const { page, stored, workspaceId, taskId, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await at.admin.tasks.update({ workspaceId, taskId, title: 'Theirs' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await until(page, "document.querySelector('[name=title]').value === 'Theirs'");
    await page.getByLabel('Description').fill('On top');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { title, description } = await stored();
    expect({ title, description }).to.deep.equal({ title: 'Theirs', description: 'On top' });
  });

  it('is changed beside what somebody else has changed of it', async () => {
    const { page, stored, workspaceId, taskId, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await at.admin.tasks.update({ workspaceId, taskId, description: 'Theirs' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { title, description } = await stored();
    expect({ title, description }).to.deep.equal({ title: 'Mine', description: 'Theirs' });
  });

  it('has a checklist, which others see ticked at once', async () => {
    const { page, stored, dialog, workspaceId, boardId } = await openedCard(at);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 100 });
    const other = await at.open(ben);
    for (const item of ['Write it', 'Print it']) {
      await dialog.getByLabel('Add an item').fill(item);
      await page.keyboard.press('Enter');
      await dialog.getByLabel(item, { exact: true }).waitFor();
    }
    await dialog.getByLabel('Write it', { exact: true }).click();
    const card = other.locator('.card', { hasText: 'First' });
    await card.getByText('✓ 1 of 2').waitFor();
    await other.getByRole('button', { name: 'First', exact: true }).click();
    await other.getByRole('dialog').getByText('✓ Write it').waitFor();
    expect(await other.getByRole('dialog').locator('input').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Remove Print it' }).click();
    await card.getByText('✓ 1 of 1').waitFor();
    expect((await stored()).checklist.map(({ text, done }) => [text, done])).to.deep.equal([['Write it', true]]);
  });

  it('is saved although its checklist was ticked meanwhile', async () => {
    const { page, stored, dialog, workspaceId, taskId } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await dialog.getByLabel('Add an item').fill('Write it');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Write it', { exact: true }).click();
    await at.admin.checklists.create({ workspaceId, taskId, text: 'Print it' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await stored()).title).to.equal('Mine');
  });

  it('tells its history in sentences, newest first, also what is done while one reads it', async () => {
    const { page, dialog, workspaceId, taskId, statuses } = await openedCard(at);
    await at.admin.tasks.update({ workspaceId, taskId, statusId: statuses[1]!, priority: 300 });
    await page.getByText('History', { exact: true }).click();
    await dialog.getByRole('listitem').getByText('Ada created it.').waitFor();
    const { id: commentId } = await at.admin.comments.create({ workspaceId, taskId, content: 'Looks good' });
    await dialog.getByRole('listitem').getByText('Ada commented.').waitFor();
    await at.admin.comments.delete({ workspaceId, taskId, commentId });
    await dialog.getByRole('listitem').getByText('Ada deleted a comment.').waitFor();
    const lines = await dialog.locator('details[open] li').allTextContents();
    expect(lines.map((line) => line.slice('2026-11-22 10:21 '.length))).to.deep.equal([
      'Ada deleted a comment.',
      'Ada commented.',
      'Ada moved it from Todo to Doing and set the priority to high.',
      'Ada created it.',
    ]);
  });

  it('tells days as they are where its reader is', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['First']);
    const named = { workspaceId, taskId: ids[0]! };
    const { createdAt } = await at.admin.comments.create({ ...named, content: 'Looks good' });
    const now = Date.now();
    // It is never the same day in both, and so not the day of UTC in one of them.
    for (const timezoneId of ['Etc/GMT+12', 'Etc/GMT-14']) {
      const dayOf = (ms: number) => new Date(ms).toLocaleDateString('sv', { timeZone: timezoneId });
      // The page shows no day before it is told its zone: each day is a change that it draws.
      await at.admin.tasks.update({ ...named, plannedEndDate: null });
      const page = await at.open(at.admin);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId });
      // Else a day might end in between.
      await page.clock.setFixedTime(now);
      for (const [day, overdue] of [
        [-1, true],
        [0, false],
      ] as const) {
        await at.admin.tasks.update({ ...named, plannedEndDate: dayOf(now + day * DAY) });
        await page.locator(`.card time${overdue ? '.warn' : ':not(.warn)'}`).waitFor();
      }
      await page.getByRole('button', { name: 'First', exact: true }).click();
      await page
        .getByRole('article')
        .getByText(`Ada, ${dayOf(Date.parse(createdAt))}`)
        .waitFor();
    }
  });

  it('ends with the last of several ticks of an item', async () => {
    const { page, stored, dialog, workspaceId, taskId } = await openedCard(at);
    await at.admin.checklists.create({ workspaceId, taskId, text: 'Item' });
    const item = dialog.getByLabel('Item', { exact: true });
    await item.waitFor();
    const letGo = await holdWrites(page);
    await item.check();
    await item.uncheck();
    await letGo();
    await until(page, "document.querySelector('[aria-busy=true]') === null");
    expect(at.sent(page).map(({ body }) => body)).to.deep.equal([{ done: true }, { done: false }]);
    await until(page, "!document.querySelector('.checklist input').checked");
    expect((await stored()).checklist.map(({ done }) => done)).to.deep.equal([false]);
  });

  it('ends with the last of two ticks of an item within a moment', async () => {
    const { page, stored, dialog, workspaceId, taskId } = await openedCard(at);
    await at.admin.checklists.create({ workspaceId, taskId, text: 'Item' });
    await dialog.getByLabel('Item', { exact: true }).waitFor();
    await page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('.checklist input').click()");
    await until(page, "document.querySelector('[aria-busy=true]') === null");
    expect(at.sent(page).map(({ body }) => body)).to.deep.equal([{ done: true }, { done: false }]);
    expect((await stored()).checklist.map(({ done }) => done)).to.deep.equal([false]);
  });

  it('takes comments, and explains the access that one has', async () => {
    const { page, stored, dialog } = await openedCard(at);
    await page.getByLabel('Add a comment').fill('Looks good');
    await page.keyboard.press('Enter');
    await dialog.getByRole('article').getByText('Looks good').waitFor();
    expect((await stored()).comments.map(({ content }) => content)).to.deep.equal(['Looks good']);
    await page.getByText('My access, and why').click();
    await dialog.getByText('Acme: an owner has Full Access on every page -> Full Access').waitFor();
    expect(await dialog.locator('details[open] li').count()).to.equal(1);
    await page.keyboard.press('Escape');
    await page.locator('.card', { hasText: 'First' }).getByText('1 comment').waitFor();
  });
});
