import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Request } from 'playwright-core';
import { DAY } from '../../fixtures/world/world.ts';
import { holdWrites, sampleBoard, until, untilItFollows, waitForColumn } from './board-page.ts';
import { watchEach, type Watched } from './board-page.ts';

describe('the board in a browser', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  it('is small: no schemas come with the client', async () => {
    const bundled = await readFile(fileURLToPath(new URL('../../../bundled-board.json', import.meta.url)), 'utf8');
    expect((JSON.parse(bundled) as string[]).filter((name) => name.includes('typebox'))).to.deep.equal([]);
  });

  it('is made of less than 800 lines of TypeScript, without blank lines and comments', async () => {
    const folder = fileURLToPath(new URL('../../../../examples/board', import.meta.url));
    const sources = (await readdir(folder)).filter((name) => /[.]tsx?$/.test(name));
    const texts = await Promise.all(sources.map((name) => readFile(join(folder, name), 'utf8')));
    const lines = texts.join('\n').split('\n');
    expect(lines.filter((line) => !/^\s*($|[/][/]|[/][*]|[*])/.test(line)).length).to.be.within(1, 799);
  });

  it('takes a token from the address once, and keeps it in its tab alone', async () => {
    const page = await at.open(at.admin);
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    expect(page.url()).to.equal(`${at.url}/board`);
    expect(await page.evaluate('Object.values(sessionStorage)')).to.deep.equal([at.admin.token]);
    expect(await page.evaluate('localStorage.length + document.cookie.length')).to.equal(0);
    expect(await page.content()).not.to.include(at.admin.token);
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('asks for a token, and again when it signs nobody in', async () => {
    const page = await at.open(at.admin, '');
    at.expectStatus(page, 401);
    await page.getByLabel('API token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token signs nobody in.').waitFor();
    await page.getByLabel('API token').fill(at.admin.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
  });

  it('helps to make the first workspace, board and columns, and then cards', async () => {
    const ben = await at.person('Ben');
    const page = await at.open(ben);
    await page.getByLabel('Workspace').fill('Acme');
    await page.getByLabel('Board').fill('Launch');
    expect(await page.getByRole('button', { name: 'Load the sample' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByLabel('Add a card to Todo').fill('Write it');
    await page.keyboard.press('Enter');
    await waitForColumn(page, 'Todo', ['Write it']);
    await page.getByLabel('Add a column').fill('Later');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Later' }).waitFor();
    const [workspace] = await ben.workspaces.list();
    const [board] = await ben.boards.list({ workspaceId: workspace!.id });
    const { statuses } = await ben.boards.get({ workspaceId: workspace!.id, boardId: board!.id });
    expect(statuses.map(({ name, done }) => [name, done])).to.deep.equal([
      ['Todo', false],
      ['Doing', false],
      ['Done', true],
      ['Later', false],
    ]);
  });

  it('makes another board, and leaves what it was on by the address', async () => {
    const { at: place } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await page.getByRole('link', { name: 'New board' }).click();
    await page.getByLabel('Board').fill('Roadmap');
    await page.getByLabel('Columns').fill('Now, , Later,');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
    await page.getByRole('heading', { name: 'Later' }).waitFor();
    await page.goto(`${at.url}/board#${place}`);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
  });

  it('makes nothing in another workspace than the address names', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    for (const place of ['workspace=unknown&board=new', 'workspace=unknown&card=unknown']) {
      await page.goto(`${at.url}/board#${place}`);
      await page.getByText('There is no board here that you see.').waitFor();
      expect(await page.getByRole('button', { name: 'Make it' }).count()).to.equal(0);
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await page.goto(`${at.url}/board#workspace=${workspaceId}`);
      await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    }
  });

  it('marks cards that end before today, not those that end today', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const today = Date.now();
    for (const [i, taskId] of ids.entries()) {
      // The day in the time zone of this machine, which the browser has too.
      const plannedEndDate = new Date(today + (i - 1) * DAY).toLocaleDateString('sv');
      await at.admin.tasks.update({ workspaceId, taskId, plannedEndDate });
    }
    const page = await at.open(at.admin);
    await page.clock.setFixedTime(today);
    await page.reload();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const marked = `[...document.querySelectorAll('.card:has(time.warn) .title')].map((one) => one.textContent).join()`;
    expect(await page.evaluate(marked)).to.equal('First');
    // On the next day too, when one looks again.
    await page.clock.setFixedTime(today + DAY);
    await untilItFollows(page);
    await until(page, `${marked} === 'First,Second'`);
  });

  it('loads a sample that shows access, for a service administrator', async () => {
    const page = await at.open(at.admin);
    await page.getByRole('button', { name: 'Load the sample' }).click();
    await waitForColumn(page, 'Doing', ['Write the README']);
    expect(await page.getByRole('link').allTextContents()).to.include.members(['Launch', 'Roadmap']);
    const facts = page.locator('.card', { hasText: 'Write the README' }).locator('.facts');
    expect(await facts.textContent()).to.match(/#2.*docs.*2026-12-01.*1 comment/);
  });

  it('finds cards by their text, number, tags and assignees', async () => {
    const { workspaceId, boardId, ids } = await sampleBoard(at.admin, ['Red apple', 'Green pear', 'Green apple']);
    const { id: tagId } = await at.admin.tags.create({ workspaceId, boardId, name: 'fruit' });
    const { memberId } = await at.admin.workspaces.get({ workspaceId });
    await at.admin.tasks.update({ workspaceId, taskId: ids[1]!, tags: [tagId], assignees: [memberId] });
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['Red apple', 'Green pear', 'Green apple']);
    const filter = page.getByLabel('Filter cards');
    for (const [text, found] of [
      ['APPLE green', ['Green apple']],
      ['#1', ['Red apple']],
      ['fruit', ['Green pear']],
      ['ada', ['Green pear']],
      ['nothing', []],
      ['', ['Red apple', 'Green pear', 'Green apple']],
    ] as const) {
      await filter.fill(text);
      await waitForColumn(page, 'Todo', found);
    }
  });

  it('goes from page to page by a tree, which closes again where the window is narrow', async () => {
    const { workspaceId } = await sampleBoard(at.admin);
    await at.admin.boards.create({ workspaceId, name: 'Roadmap' });
    const page = await at.open(at.admin);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await page.getByRole('link', { name: 'Roadmap' }).click();
    await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
    await page.setViewportSize({ width: 360, height: 720 });
    const launch = page.getByRole('link', { name: 'Launch' });
    await launch.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Pages' }).click();
    await launch.click();
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    await launch.waitFor({ state: 'hidden' });
  });

  it('shows a guest no control that would be refused', async () => {
    const { workspaceId, boardId } = await sampleBoard(at.admin);
    const cleo = await at.person('Cleo');
    const memberId = await at.join(workspaceId, cleo, 10);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 100 });
    const page = await at.open(cleo);
    await waitForColumn(page, 'Todo', ['First', 'Second', 'Third']);
    const controls = async () => page.locator('main').locator('button, input, textarea, select').count();
    // The filter, and a card to open each.
    expect(await controls()).to.equal(4);
    expect(await page.locator('[draggable=true]').count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'New board' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByRole('dialog').getByText('No description.').waitFor();
    await page.getByText('My access, and why').click();
    await page.getByText('Launch: set for this member -> View Only').waitFor();
    expect(await page.getByRole('dialog').locator('button, input, textarea, select').allTextContents()).to.deep.equal([
      'Close',
    ]);
    await at.admin.access.grant({ workspaceId, pageId: boardId, memberId, access: 200 });
    await page.reload();
    await page.getByLabel('Add a comment').fill('Seen.');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Seen.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).to.equal(0);
  });

  it('shows a card whose board is hidden, through the page of the card', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin, ['Only this', 'Not this']);
    await at.admin.pages.create({ workspaceId, name: 'Only this', type: 'task', taskId: ids[0]! });
    const cleo = await at.person('Cleo');
    const memberId = await at.join(workspaceId, cleo, 10);
    await at.admin.access.grant({ workspaceId, pageId: ids[0]!, memberId, access: 300 });
    const page = await at.open(cleo);
    await page.getByRole('link', { name: 'Only this' }).click();
    await page.getByLabel('Title').fill('Only that');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await cleo.tasks.get({ workspaceId, taskId: ids[0]! })).title).to.equal('Only that');
    expect(await page.content()).not.to.include('Not this');
  });

  it('keeps a card open, with what is written in it, while everything is read again', async () => {
    const { workspaceId, ids } = await sampleBoard(at.admin);
    const taskId = ids[0]!;
    await at.admin.pages.create({ workspaceId, name: 'First', type: 'task', taskId });
    const cleo = await at.person('Cleo');
    const memberId = await at.join(workspaceId, cleo, 10);
    await at.admin.access.grant({ workspaceId, pageId: taskId, memberId, access: 300 });
    const page = await at.open(cleo);
    await page.getByRole('link', { name: 'First' }).click();
    await page.getByLabel('Title').fill('Written');
    const letWritesGo = await holdWrites(page);
    const isRead = (request: Request) => request.method() === 'GET' && request.url().endsWith(`/task/${taskId}`);
    // The address names the workspace now, for which everything is read once more.
    await untilItFollows(page);
    // Never answered.
    await page.route('**/task/*', (route) => (isRead(route.request()) ? undefined : route.fallback()));
    const reads = page.waitForRequest(isRead);
    const { id: pageId } = await at.admin.pages.create({ workspaceId, name: 'Other', type: 'folder' });
    await at.admin.access.grant({ workspaceId, pageId, memberId, access: 100 });
    await reads;
    await page.getByRole('button', { name: 'Save' }).click();
    await until(page, `document.querySelector('dialog[open] form[aria-busy=true]') !== null`);
    await letWritesGo();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await cleo.tasks.get({ workspaceId, taskId })).title).to.equal('Written');
  });

  it('reads 2,000 cards in pages, and shows all of them', async () => {
    const titles = Array.from({ length: 2_000 }, (_, i) => `Card ${i + 1}`);
    const { workspaceId, boardId, statuses } = await sampleBoard(at.admin, titles.slice(0, 1_000));
    await at.admin.tasks.createMany({
      workspaceId,
      tasks: titles.slice(1_000).map((title) => ({ boardId, statusId: statuses[1]!, title })),
    });
    const page = await at.open(at.admin);
    // They are put into the page as far as one has scrolled.
    for (const [column, last] of [
      ['Todo', 'Card 1000'],
      ['Doing', 'Card 2000'],
    ] as const) {
      const region = page.getByRole('region', { name: `${column} 1000` });
      await region.waitFor();
      const scroll = `document.querySelectorAll('.column ol').forEach((one) => (one.scrollTop = one.scrollHeight))`;
      await until(
        page,
        `(${scroll}, [...document.querySelectorAll('.title')].some((one) => one.textContent === '${last}'))`,
      );
    }
    expect(await page.locator('.title').count()).to.equal(2_000);
    const lists = at.sent(page, ['GET']).filter(({ path }) => path.includes('/task?'));
    expect(lists).to.have.length(4);
    await page.locator('.card').last().locator('.small').click();
    await page.locator(':popover-open button', { hasText: 'Move to Done' }).click();
    await waitForColumn(page, 'Done', ['Card 2000']);
  });
});
