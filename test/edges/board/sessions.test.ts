import { expect } from 'chai';
import { holdAnswer, holdWrites, sampleBoard, until, untilItFollows, waitForColumn } from './board-page.ts';
import { watchEach, type Watched } from './board-page.ts';

describe('the board in a browser, of one person and then another, at one address and then another', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('signs nobody out by an answer to whoever was signed in before', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const ben = await at.person('Ben');
    await at.join(workspaceId, ben, 20);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letWritesGo = await holdWrites(page);
    await page.getByRole('button', { name: 'Move First' }).click();
    await page.getByRole('button', { name: 'Move to Doing' }).click();
    await waitForColumn(page, 'Doing', ['First']);
    await untilItFollows(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // What the page still reads with the token may be refused as well.
    at.expectStatus(page, 401);
    const { items } = await at.admin.tokens.list();
    await at.admin.tokens.revoke({ tokenId: items[0]!.id });
    await page.getByLabel('API token').fill(ben.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const refused = page.waitForResponse((response) => response.request().method() === 'PUT');
    await letWritesGo();
    await (await refused).finished();
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    expect(await page.evaluate('Object.values(sessionStorage)')).to.deep.equal([ben.token]);
    expect((await ben.tasks.get({ workspaceId, taskId: ids[0]! })).version).to.equal(1);
  });

  it('asks for a token where the one of the address is malformed', async () => {
    const page = await at.open(at.admin, 'token=%E0%A4%A');
    at.expectStatus(page, 401);
    await page.getByText('This token signs nobody in.').waitFor();
    expect(page.url()).to.equal(`${at.url}/board`);
  });

  it('opens a card of another workspace than the one that is shown', async () => {
    const one = await sampleBoard(at.admin, ['Lion']);
    const other = await sampleBoard(at.admin, ['Zebra']);
    const page = await at.open(at.admin);
    for (const { at: place, ids, title } of [
      { ...one, title: 'Lion' },
      { ...other, title: 'Zebra' },
    ]) {
      await page.goto(`${at.url}/board#${place}&card=${ids[0]}`);
      await page.getByRole('dialog').getByRole('heading', { name: title }).waitFor();
      await waitForColumn(page, 'Todo', [title]);
    }
    await page.goBack();
    await page.getByRole('dialog').getByRole('heading', { name: 'Lion' }).waitFor();
  });

  it('shows the board that is asked for while another one is read', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    await at.admin.boards.create({ workspaceId, name: 'Roadmap' });
    const page = await at.open(at.admin);
    await page.getByRole('link', { name: 'Roadmap' }).click();
    await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
    await page.getByRole('link', { name: 'Launch' }).click();
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    await untilItFollows(page);
    const answer = await holdAnswer(page, `**/task/${ids[0]}`);
    await at.admin.pages.create({ workspaceId, name: 'Other', type: 'folder' });
    await answer.isThere;
    await page.evaluate('history.go(-2)');
    await until(page, "document.querySelector('h1') === null");
    await answer.letGo();
    await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
  });
});
