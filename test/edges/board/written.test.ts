import { expect } from 'chai';
import {
  holdWrites,
  OFFLINE,
  openedCard,
  sampleBoard,
  until,
  untilItFollows,
  waitForColumn,
  watchEach,
  type Watched,
} from './board-page.ts';

describe('what one writes on the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('is refused and kept where it is too long, and not cut', async () => {
    const { page, stored, dialog } = await openedCard(at);
    at.expectStatus(page, 400);
    for (const [name, button, longest] of [
      ['Description', 'Save', 50_000],
      ['Add a comment', 'Add', 20_000],
    ] as const) {
      const field = page.getByLabel(name);
      const form = dialog.locator('form').filter({ has: field });
      await field.focus();
      await page.keyboard.insertText(`${'x'.repeat(longest)}!`);
      await form.getByRole('button', { name: button }).click();
      await form.getByRole('alert').waitFor();
      expect(await field.inputValue()).to.have.length(longest + 1);
    }
    expect((await stored()).version).to.equal(1);
  });

  it('is as long as the service takes it, in characters outside of the basic plane too', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['\u{1F98A}'.repeat(500)]);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['\u{1F98A}'.repeat(500)]);
    await page.locator('.title').click();
    await page.getByLabel('Title').press('End');
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await at.admin.tasks.get({ workspaceId, taskId: ids[0]! })).title).to.equal('\u{1F98A}'.repeat(499));
  });

  it('stays in a card that is opened while a change of another one is on its way', async () => {
    const { page, stored, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    const letGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Second', exact: true }).click();
    await page.getByLabel('Description').fill('Written');
    await letGo();
    await page.getByText('First: saved.').waitFor({ state: 'attached' });
    // What it would close, it closes in a task of its own.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
    expect((await stored()).title).to.equal('Mine');
  });

  it('is not lost with a card that is closed by mistake', async () => {
    const { page, dialog } = await openedCard(at);
    const asked: string[] = [];
    let answer: 'accept' | 'dismiss' = 'dismiss';
    at.onQuestion(page, async (question) => {
      asked.push(question.type());
      await question[answer]();
    });
    await page.getByLabel('Description').fill('Written');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
    ]) {
      const question = page.waitForEvent('dialog');
      await leave();
      await question;
    }
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
    expect(asked).to.deep.equal(['confirm', 'confirm']);
    await page.getByLabel('Description').fill('');
    await page.getByLabel('Add a comment').fill('Also written');
    answer = 'accept';
    await page.reload();
    await dialog.waitFor();
    expect(asked.splice(0)).to.deep.equal(['confirm', 'confirm', 'beforeunload']);
    // It is as it was: nothing is asked.
    await page.getByLabel('Add a comment').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Title').fill('Mine');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(asked).to.deep.equal(['confirm']);
  });

  it('is said not to be saved when its card was closed meanwhile', async () => {
    const { page, dialog, workspaceId, taskId } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    const letGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await at.admin.tasks.update({ workspaceId, taskId, title: 'Theirs' });
    at.expectStatus(page, 412);
    await letGo();
    await page.locator('.notice', { hasText: 'First: not saved.' }).waitFor();
  });

  it('is not what somebody else has written, where the answer to it was lost', async () => {
    const { page, stored, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    at.expectStatus(page, OFFLINE, 412);
    await page.route(
      '**/task/*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.getByLabel('Description').fill('Also mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { title, description } = await stored();
    expect({ title, description }).to.deep.equal({ title: 'Mine', description: 'Also mine' });
  });

  it('stays beside what one takes of somebody else', async () => {
    const { page, stored, dialog, workspaceId, taskId } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await page.getByLabel('Description').fill('Written');
    await dialog.getByLabel('Done').check();
    await at.admin.tasks.update({ workspaceId, taskId, title: 'Theirs', priority: 300 });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await until(page, "document.querySelector('[name=title]').value === 'Theirs'");
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { title, description, complete, priority } = await stored();
    expect({ title, description, complete, priority }).to.deep.equal({
      title: 'Theirs',
      description: 'Written',
      complete: true,
      priority: 300,
    });
  });

  it('is all that is sent: a title of two lines stays', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['One\nTwo']);
    const page = await at.open(at.admin);
    await page.locator('.title').click();
    await page.getByLabel('Description').fill('Written');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await at.admin.tasks.get({ workspaceId, taskId: ids[0]! })).title).to.equal('One\nTwo');
  });

  it('is saved where a tag of the card was deleted meanwhile', async () => {
    const { workspaceId, boardId, ids } = await sampleBoard(at.admin);
    const { id: oldId } = await at.admin.tags.create({ workspaceId, boardId, name: 'old' });
    const { id: tagId } = await at.admin.tags.create({ workspaceId, boardId, name: 'new' });
    await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, tags: [oldId] });
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    const tags = page.getByRole('group', { name: 'tags' });
    await tags.getByLabel('old').waitFor();
    await untilItFollows(page);
    await at.admin.tags.delete({ workspaceId, boardId, tagId: oldId });
    await tags.getByLabel('old').waitFor({ state: 'detached' });
    await tags.getByLabel('new').check();
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await at.admin.tasks.get({ workspaceId, taskId: ids[0]! })).tags).to.deep.equal([tagId]);
  });

  it('is not lost when the card is saved before a comment is added', async () => {
    const { page, stored, dialog } = await openedCard(at);
    at.onQuestion(page, (question) => question.dismiss());
    await page.getByLabel('Add a comment').fill('Written');
    await page.getByLabel('Title').fill('Mine');
    const question = page.waitForEvent('dialog');
    await page.getByRole('button', { name: 'Save' }).click();
    await question;
    await page.getByLabel('Add a comment').press('Enter');
    await dialog.getByRole('article').getByText('Written').waitFor();
    await until(page, "document.querySelector('[aria-busy=true]') === null");
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await stored()).title).to.equal('Mine');
  });

  it('makes one workspace and board, though a column is refused at first', async () => {
    const ben = await at.person('Ben');
    const page = await at.open(ben);
    await page.getByLabel('Workspace').fill('Acme');
    await page.getByLabel('Board').fill('Launch');
    at.expectStatus(page, 400);
    await page.getByLabel('Columns').evaluate((field) => field.removeAttribute('pattern'));
    await page.getByLabel('Columns').fill(`Todo, ${'x'.repeat(101)}`);
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Launch' }).waitFor();
    await page.getByRole('heading', { name: 'Todo' }).waitFor();
    const workspaces = await ben.workspaces.list();
    expect(workspaces.map(({ name }) => name)).to.deep.equal(['Acme']);
    const boards = await ben.boards.list({ workspaceId: workspaces[0]!.id });
    expect(boards.map(({ name }) => name)).to.deep.equal(['Launch']);
  });
});
