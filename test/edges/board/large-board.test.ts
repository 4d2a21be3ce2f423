import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { sampleBoard, until, untilItFollows, waitForColumn, watchEach, type Watched } from './board-page.ts';

/** Counts the calls of functions of the page while something happens. */
async function callsDuring(page: Page, happening: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await happening();
  const { result } = await devtools.send('Profiler.takePreciseCoverage');
  await devtools.detach();
  const functions = result.filter(({ url }) => url.endsWith('/board.js')).flatMap((script) => script.functions);
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

describe('the board in a browser, large', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('is drawn once a frame while hundreds of cards change, not once a card', async () => {
    const titles = Array.from({ length: 500 }, (_, i) => `Card ${i + 1}`);
    const { workspaceId, ids, statuses } = await sampleBoard(at.admin, titles);
    const page = await at.open(at.admin);
    await page.getByRole('region', { name: 'Todo 500' }).waitFor();
    await untilItFollows(page);
    await page.evaluate(`
      window.drawn = 0;
      new MutationObserver(() => (drawn += 1)).observe(document.querySelector('h2'), { subtree: true, characterData: true })
    `);
    await at.admin.tasks.updateMany({ workspaceId, taskIds: ids, set: { statusId: statuses[1]! } });
    await page.getByRole('region', { name: 'Doing 500' }).waitFor();
    expect(await page.evaluate('drawn')).to.be.within(1, 250);
  });

  it('draws a tree of hundreds of pages when they change, and not with each card', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    for (let i = 0; i < 500; i++) await at.admin.pages.create({ workspaceId, name: `Page ${i}`, type: 'folder' });
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await untilItFollows(page);
    const calls = await callsDuring(page, async () => {
      await at.admin.tasks.update({ workspaceId, taskId: ids[0]!, title: 'Changed' });
      await waitForColumn(page, 'Todo', ['Changed', 'Second', 'Third']);
    });
    expect(calls).to.be.within(100, 10_000);
    await at.admin.pages.create({ workspaceId, name: 'The last', type: 'folder' });
    await until(page, "document.querySelector('nav').textContent.includes('The last')");
  });

  it('shows all cards of a column in a window that is higher than the first of them', async () => {
    const titles = Array.from({ length: 120 }, (_, i) => `Card ${i + 1}`);
    await sampleBoard(at.admin, titles);
    const page = await at.open(at.admin);
    await page.setViewportSize({ width: 800, height: 6_000 });
    await page.getByRole('region', { name: 'Todo 120' }).waitFor();
    const scroll = `document.querySelectorAll('.column ol').forEach((one) => (one.scrollTop = one.scrollHeight))`;
    await until(page, `(${scroll}, document.querySelectorAll('.card').length === 120)`);
  });
});
