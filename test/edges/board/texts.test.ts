import { expect } from 'chai';
import { sampleBoard, waitForColumn, watchEach, type Watched } from './board-page.ts';

describe('texts of the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('are shown as text, however hostile', async () => {
    const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>"'&amp;`;
    const reversed = '\u202Etxt.exe\u2066\u200F';
    const long = 'x'.repeat(10_000);
    const { workspaceId, boardId, ids } = await sampleBoard(at.admin, [markup, reversed, 'x'.repeat(500)]);
    const [first] = ids;
    const { id: tagId } = await at.admin.tags.create({ workspaceId, boardId, name: markup.slice(0, 30) });
    await at.admin.tasks.update({ workspaceId, taskId: first!, description: `${markup}\n${long}`, tags: [tagId] });
    await at.admin.comments.create({ workspaceId, taskId: first!, content: `${markup} ${reversed} ${long}` });
    await at.admin.boards.update({ workspaceId, boardId, name: markup });
    await at.admin.workspaces.update({ workspaceId, name: markup });
    const cleo = await at.person('Cleo');
    await cleo.me.update({ name: markup });
    const memberId = await at.join(workspaceId, cleo, 10);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 200 });
    for (const who of [at.admin, cleo]) {
      const page = await at.open(who);
      await page.setViewportSize({ width: 360, height: 720 });
      await waitForColumn(page, 'Todo', [markup, reversed, 'x'.repeat(500)]);
      await page.getByRole('button', { name: markup, exact: true }).click();
      await page.getByRole('dialog').getByText(long.slice(0, 300)).last().waitFor();
      expect(await page.locator('img, #app script').count()).to.equal(0);
      // Nothing is wider than the window; and an unclosed mark of direction ends where its name does.
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(360);
      expect(await page.evaluate("document.querySelector('dialog').scrollWidth")).to.be.below(360);
      const isolated =
        "[...document.querySelectorAll('.title')].every((one) => getComputedStyle(one).unicodeBidi === 'plaintext')";
      expect(await page.evaluate(isolated)).to.equal(true);
    }
  });

  it('leave room for what is beside them, however long', async () => {
    const { workspaceId, boardId, ids } = await sampleBoard(at.admin);
    const words = 'long '.repeat(90).trim();
    for (const text of ['Short', words]) await at.admin.checklists.create({ workspaceId, taskId: ids[0]!, text });
    for (const name of ['Short', words.slice(0, 99)]) await at.admin.tags.create({ workspaceId, boardId, name });
    // A page that is deeper than the tree is wide.
    let parentId: string | null = null;
    for (let depth = 0; depth < 30; depth++) {
      const made: { readonly id: string } = await at.admin.pages.create({
        workspaceId,
        name: 'Folder',
        type: 'folder',
        ...(parentId !== null && { parentId }),
      });
      parentId = made.id;
    }
    const page = await at.open(at.admin);
    await page.setViewportSize({ width: 360, height: 720 });
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await page.getByLabel('Description').waitFor();
    const sizesOf = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().width)`);
    for (const selector of ['.checklist input', '.checklist .remove', '[name=tags]']) {
      const [short, long] = (await sizesOf(selector)) as [number, number];
      expect(long, selector).to.be.within(short, short).and.above(10);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pages' }).click();
    const folders = (await sizesOf('nav ul a:not([href])')) as number[];
    expect(folders.at(-1)).to.equal(folders[0]);
  });

  it('run in the direction of their language', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['\u05D0\u05D1!', 'Ab!']);
    await at.admin.comments.create({ workspaceId, taskId: ids[0]!, content: '\u05D0\u05D1!' });
    await at.admin.comments.create({ workspaceId, taskId: ids[0]!, content: 'Ab!' });
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: '\u05D0\u05D1!', exact: true }).click();
    await page.getByRole('article').last().waitFor();
    // Whether the last character is left of the first one.
    const directions =
      await page.evaluate(`[...document.querySelectorAll('.title, article .prose')].map(({ firstChild }) => {
      const [first, last] = [0, 2].map((at) => {
        const range = document.createRange();
        range.setStart(firstChild, at);
        range.setEnd(firstChild, at + 1);
        return range.getBoundingClientRect().left;
      });
      return last < first ? 'rtl' : 'ltr';
    })`);
    expect(directions).to.deep.equal(['rtl', 'ltr', 'rtl', 'ltr']);
  });
});
