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
