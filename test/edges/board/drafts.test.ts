import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { holdWrites, openedCard, sampleBoard, until, untilItFollows } from './board-page.ts';
import { watchEach, type Watched } from './board-page.ts';

describe('what is written and not saved on the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  /** A person whose level of access on a board changes, with its first card open. */
  async function openedByBen() {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    const memberId = await at.join(workspaceId, ben, 20);
    const page = await at.open(ben);
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Title').waitFor();
    await untilItFollows(page);
    const may = (access: 0 | 100 | 300) => at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access });
    return { page, may, ben, dialog: page.getByRole('dialog') };
  }

  async function refuseToken(page: Page) {
    at.expectStatus(page, 401);
    const { items } = await at.admin.tokens.list();
    const refused = page.waitForResponse((response) => response.status() === 401);
    await at.admin.tokens.revoke({ tokenId: items.find(({ name }) => name === 'board')!.id });
    await refused;
  }

  it('stays where the access to its card falls to View, and leaves with it', async () => {
    const { page, may, dialog } = await openedByBen();
    at.onQuestion(page, (question) => question.accept());
    await page.getByLabel('Description').fill('Written');
    await page.getByLabel('Add a comment').fill('Also written');
    // The rest of the page is out of reach while a card is open.
    await page.evaluate(`{
      const field = document.querySelector('.column .add input');
      field.value = 'Too';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await may(100);
    await until(page, "document.querySelector('.menu') === null");
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
    expect(await page.getByLabel('Add a comment').inputValue()).to.equal('Also written');
    expect(await page.getByLabel('Add an item').count()).to.equal(0);
    expect(await page.locator('.columns .add input').inputValue()).to.equal('Too');
    at.expectStatus(page, 403);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
    const question = page.waitForEvent('dialog');
    await page.keyboard.press('Escape');
    await question;
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await dialog.getByText('No description.').waitFor();
    expect(await dialog.getByLabel('Description').count()).to.equal(0);
  });

  it('stays in the form of a card where the token is refused, until it is given up', async () => {
    const { page, stored, dialog } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    await dialog.getByLabel('Done').check();
    await refuseToken(page);
    // It is all that stays.
    await until(page, '!/Second|Launch|Acme/.test(document.documentElement.outerHTML)');
    await page.getByLabel('Title').press('Enter');
    await dialog.getByRole('alert').waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('Mine');
    expect(await dialog.getByLabel('Done').isChecked()).to.equal(true);
    expect((await stored()).version).to.equal(1);
    at.onQuestion(page, (question) => question.accept());
    await page.keyboard.press('Escape');
    await page.getByLabel('API token').waitFor();
    await until(page, '!/First|Launch|Acme|Mine/.test(document.documentElement.outerHTML)');
  });

  it('is there again, in a field that adds, when one signs in after the token was refused', async () => {
    const { page } = await openedCard(at);
    const { token } = await at.admin.tokens.create({ name: 'next' });
    const field = page.getByLabel('Add a comment');
    await field.fill('Written');
    await refuseToken(page);
    await page.getByLabel('API token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await field.inputValue()).to.equal('Written');
  });

  it('is there again, in a field that adds, for its writer and nobody else', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    await at.join(workspaceId, ben, 20);
    const page = await at.open(at.admin);
    const field = page.getByLabel('Add a card to Todo');
    await field.fill('Written');
    for (const { token, left } of [
      { token: ben.token, left: '' },
      { token: at.admin.token, left: 'Written' },
    ]) {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(await field.inputValue()).to.equal(left);
    }
  });

  it('is there again, in a field that adds, when its board is opened again', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    await at.admin.boards.create({ workspaceId, name: 'Roadmap' });
    const page = await at.open(at.admin);
    const field = page.getByLabel('Add a card to Todo');
    const leaveAndReturn = async () => {
      await page.getByRole('link', { name: 'Roadmap' }).click();
      await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
      await page.getByRole('link', { name: 'Launch' }).click();
      await field.waitFor();
    };
    await field.fill('Written');
    await leaveAndReturn();
    expect(await field.inputValue()).to.equal('Written');
    // Refused when its field is gone.
    const letGo = await holdWrites(page, 'POST');
    at.expectStatus(page, 400);
    await field.fill('x'.repeat(501));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Roadmap' }).click();
    await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
    const refused = page.waitForResponse((response) => response.status() === 400);
    await letGo();
    await (await refused).finished();
    await until(page, 'true');
    await page.getByRole('link', { name: 'Launch' }).click();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('x'.repeat(501));
  });

  it('is nothing any more where one has taken what somebody else made of it', async () => {
    const { page, dialog, workspaceId, taskId } = await openedCard(at);
    await page.getByLabel('Title').fill('Mine');
    // It stays open when that is saved.
    const letGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Description').fill('Written');
    at.onQuestion(page, (question) => question.dismiss());
    const question = page.waitForEvent('dialog');
    await letGo();
    await question;
    await at.admin.tasks.update({ workspaceId, taskId, description: 'Theirs' });
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await until(page, "document.querySelector('textarea').value === 'Theirs'");
    const asked: string[] = [];
    at.onQuestion(page, async (question) => {
      asked.push(question.type());
      await question.accept();
    });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(asked).to.deep.equal([]);
  });

  it('keeps a token that is not signed in with out of the history', async () => {
    const { page } = await openedCard(at);
    const ben = await at.person('Ben');
    const place = page.url();
    await page.getByLabel('Description').fill('Written');
    at.onQuestion(page, (question) => question.dismiss());
    const question = page.waitForEvent('dialog');
    await page.evaluate(`location.hash = 'token=${ben.token}'`);
    await question;
    await until(page, `location.href === ${JSON.stringify(place)}`);
    const devtools = await page.context().newCDPSession(page);
    const { entries } = await devtools.send('Page.getNavigationHistory');
    expect(entries.filter(({ url }) => url.includes(ben.token))).to.deep.equal([]);
    expect(await page.evaluate('Object.values(sessionStorage)')).to.deep.equal([at.admin.token]);
  });
});

describe('the board in a browser, left open', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('shows at midnight what is overdue then', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const noon = new Date().setHours(12, 0, 0, 0);
    await at.admin.tasks.update({
      workspaceId,
      taskId: ids[0]!,
      plannedEndDate: new Date(noon).toLocaleDateString('sv'),
    });
    const page = await at.open(at.admin);
    await page.clock.setFixedTime(noon);
    // Whatever is done now and then is done soon.
    await page.addInitScript('{ const repeat = setInterval; setInterval = (what) => repeat(what, 50); }');
    await page.reload();
    await page.locator('.card time:not(.warn)').waitFor();
    await untilItFollows(page);
    await page.clock.setFixedTime(new Date(noon).setHours(24, 0, 0, 0));
    await page.locator('.card time.warn').waitFor({ timeout: 10_000 });
  });
});
