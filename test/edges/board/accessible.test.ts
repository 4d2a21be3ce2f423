import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { sampleBoard, until, waitForColumn, watchEach, type Watched } from './board-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe finds, as one line each. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as Found;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe('axe', function () {
  this.timeout(120_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('finds nothing on the board in a browser, in light and dark, narrow and wide', async () => {
    const ben = await at.person('Ben');
    const { workspaceId, boardId, ids } = await sampleBoard(ben);
    const { id: tagId } = await ben.tags.create({ workspaceId, boardId, name: 'docs', color: 'skyblue' });
    const { memberId } = await ben.workspaces.get({ workspaceId });
    const change = { tags: [tagId], assignees: [memberId], plannedEndDate: '2020-01-01' };
    await ben.tasks.update({ workspaceId, taskId: ids[0]!, ...change });
    await ben.tasks.update({ workspaceId, taskId: ids[1]!, complete: true });
    await ben.comments.create({ workspaceId, taskId: ids[0]!, content: 'Looks good' });
    await ben.checklists.create({ workspaceId, taskId: ids[0]!, text: 'Write it' });
    for (const [colorScheme, width] of [
      ['light', 1_280],
      ['light', 360],
      ['dark', 2_000],
    ] as const) {
      const page = await at.open(ben, '');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const looked = async (what: string) =>
        expect(await findings(page), `${what}, ${colorScheme}, ${width}`).to.deep.equal([]);
      await page.getByLabel('API token').fill(ben.token);
      await looked('sign-in');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
      await looked('board');
      if (width === 360) {
        await page.getByRole('button', { name: 'Pages' }).click();
        await looked('pages');
        await page.keyboard.press('Escape');
      }
      await page.getByRole('button', { name: 'Move First' }).click();
      await page.getByRole('button', { name: 'Move down' }).waitFor();
      await looked('menu');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'First', exact: true }).click();
      await page.getByText('My access, and why').click();
      await page.getByText('Acme: an owner has Full Access on every page').waitFor();
      await looked('card');
      await page.getByLabel('Description').fill('Mine');
      await ben.tasks.update({ workspaceId, taskId: ids[0]!, description: `Theirs ${colorScheme} ${width}` });
      at.expectStatus(page, 412);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Take theirs' }).waitFor();
      await looked('conflict');
    }
    const empty = await at.open(at.admin);
    await empty.getByRole('button', { name: 'Load the sample' }).waitFor();
    expect(await findings(empty)).to.deep.equal([]);
  });
});

describe('the board in a browser, where people choose the colours', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('marks the page that is open, and where a card that is dragged would go', async () => {
    await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await page.emulateMedia({ forcedColors: 'active' });
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const isMarked = (selector: string) =>
      until(
        page,
        `[document.querySelector('${selector}')].every((one) => one && getComputedStyle(one).outlineStyle === 'solid')`,
      );
    await isMarked('nav a[aria-current=page]');
    await page.locator('.card', { hasText: 'First' }).hover();
    await page.mouse.down();
    const { x, y } = (await page.locator('.card', { hasText: 'Third' }).boundingBox())!;
    // The place is shown with the second event over it, and not before the next frame.
    for (let step = 0; step < 3; step++) {
      await page.mouse.move(x + 40 + step, y + 60);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await isMarked('.over');
    await page.mouse.up();
  });
});
