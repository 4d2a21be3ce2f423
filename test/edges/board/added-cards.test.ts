import { expect } from 'chai';
import { holdWrites, sampleBoard, until, waitForColumn, watchEach, type Watched } from './board-page.ts';

describe('what one adds to a column of the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('stays where it was written behind a card that is being added', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdWrites(page, 'POST');
    const field = page.getByLabel('Add a card to Todo');
    await field.focus();
    await page.keyboard.type('Fourth');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Fifth');
    await letGo();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Fourth']);
    await until(page, "document.activeElement.value === 'Fifth'");
  });

  it('is one card with each Enter, in their order, however long the first one is on its way', async () => {
    await sampleBoard(at.admin, ['Zero']);
    const page = await at.open(at.admin);
    const letGo = await holdWrites(page, 'POST');
    await page.getByLabel('Add a card to Todo').focus();
    const titles = ['Zero', 'One', 'Two', 'Three', 'Four'];
    for (const title of titles.slice(1)) {
      await page.keyboard.type(title);
      await page.keyboard.press('Enter');
    }
    await letGo();
    await waitForColumn(page, 'Todo', titles);
  });

  it('is no part less where what is being added is a part of it, and comes behind what is not added', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const field = page.getByLabel('Add a card to Todo');
    for (const [added, written, left] of [
      ['Fix', 'Prefix, Fixture', 'Prefix, Fixture'],
      ['x'.repeat(501), 'Written', `${'x'.repeat(501)} Written`],
    ] as const) {
      at.expectStatus(page, 400);
      const letGo = await holdWrites(page, 'POST');
      await field.fill(added);
      await page.keyboard.press('Enter');
      await field.fill(written);
      await letGo();
      await until(page, "document.querySelector('[aria-busy=true]') === null");
      expect(await field.inputValue()).to.equal(left);
    }
  });

  it('comes back in its order where none of it is added, with the reason', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    at.expectStatus(page, 400);
    const letGo = await holdWrites(page, 'POST');
    const field = page.getByLabel('Add a card to Todo');
    const titles = ['x', 'y', 'Added'].map((text, i) => (i < 2 ? text.repeat(501) : text));
    for (const title of titles) {
      await field.fill(title);
      await page.keyboard.press('Enter');
    }
    await field.fill('Written');
    await letGo();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third', 'Added']);
    await until(page, "document.querySelector('[aria-busy=true]') === null");
    expect(await field.inputValue()).to.equal(`${titles[0]} ${titles[1]} Written`);
    expect(await page.getByRole('alert').count()).to.equal(1);
  });

  it('is added where it was written, though another workspace is opened before it is sent', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    const other = await at.admin.workspaces.create({ name: 'Other' });
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const letGo = await holdWrites(page, 'POST');
    const field = page.getByLabel('Add a card to Todo');
    for (const title of ['Fourth', 'Fifth']) {
      await field.fill(title);
      await page.keyboard.press('Enter');
    }
    await page.evaluate(`location.hash = 'workspace=${other.alias}'`);
    await page.getByRole('heading', { name: 'A new board' }).waitFor();
    const sent = page.waitForResponse((response) => response.request().postData()?.includes('Fifth') === true);
    await letGo();
    await sent;
    const { items } = await at.admin.tasks.list({ workspaceId });
    expect(items.map(({ title }) => title)).to.include.members(['Fourth', 'Fifth']);
  });
});
