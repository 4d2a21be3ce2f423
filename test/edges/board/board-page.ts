import type { Browser, BrowserContext, Dialog, Page, Request, Route } from 'playwright-core';
import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { openApi } from '../../../adapters/http/openapi/document.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Session } from '../../../core/session.ts';
import { startChromium } from '../../fixtures/process/chromium.ts';
import { networkTo, type Network } from './network.ts';

/** In place of a status: there was no answer. */
export const OFFLINE = 0;
const STATIC = ['/board', '/board/board.js', '/board/board.css', '/board/sample.jsonl', '/favicon.ico'];

/** A user with a token. */
export interface Person extends Session {
  readonly userId: string;
  readonly token: string;
}

/** A request for the interface, as it went out. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A service with the board, and browsers that look at it. */
export interface Watched {
  /** Through the network. */
  readonly url: string;
  readonly network: Network;
  readonly espalier: Espalier;
  /** A service administrator. */
  readonly admin: Person;
  person(name: string): Promise<Person>;
  /** Makes a person a member; a guest sees only what they are shown. */
  join(workspaceId: string, person: Person, role: 10 | 20): Promise<string>;
  /** A page of a browser of its own. @param at behind `#`; absent: their token */
  open(person: Person, at?: string): Promise<Page>;
  /** What the page asked of the interface, but reads unless they are asked for. */
  sent(page: Page, methods?: readonly string[]): readonly Sent[];
  /** What may be complained of on the console: statuses of answers that are part of a test. */
  expectStatus(page: Page, ...statuses: readonly number[]): void;
  /** How a page's questions are answered. Of a page without, they are complained of. */
  onQuestion(page: Page, answer: (question: Dialog) => Promise<void>): void;
  close(): Promise<void>;
}

let shared: Browser | undefined;

/** Hooks of a suite: one browser for all of its tests, and a service of its own for each. Skips without Chromium. */
export function watchEach(begin: (at: Watched) => void): void {
  let at: Watched | undefined;
  before(async function () {
    this.timeout(60_000);
    shared = await startChromium(this);
  });
  after(async () => {
    await shared?.close();
    shared = undefined;
  });
  beforeEach(async () => {
    at = await watched();
    begin(at);
  });
  afterEach(() => at?.close());
}

async function watched(): Promise<Watched> {
  const espalier = createEspalier({ store: memoryStore() });
  const ready = () => espalier.store.ready();
  const { engine, identity } = espalier;
  const service = await startService({ engine, identity, ready, port: 0, board: true });
  const network = await networkTo(service.url);
  const { url } = network;
  const contexts: BrowserContext[] = [];
  const recorded = new Map<Page, Request[]>();
  const complaints = new Map<Page, string[]>();
  const expected = new Map<Page, Set<number>>();
  const answers = new Map<Page, (question: Dialog) => Promise<void>>();

  async function person(name: string, administrator = false): Promise<Person> {
    const user = await espalier.users.create({ name, email: `${name.toLowerCase()}@example.org`, administrator });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'board' });
    return { ...espalier.as(user), userId: user.id, token };
  }
  const admin = await person('Ada', true);

  return {
    url,
    network,
    espalier,
    admin,
    person,
    async join(workspaceId, invited, role) {
      const { email } = await invited.me.get();
      const { id } = await admin.invitations.create({ workspaceId, email, role });
      return (await invited.invitations.join({ invitationId: id })).id;
    },
    async open(who, at = `token=${who.token}`) {
      const context = await shared!.newContext({ viewport: { width: 1280, height: 800 } });
      contexts.push(context);
      const page = await context.newPage();
      const [requests, heard] = [[] as Request[], [] as string[]];
      recorded.set(page, requests);
      complaints.set(page, heard);
      expected.set(page, new Set());
      page.on('request', (request) => requests.push(request));
      page.on('pageerror', (error) => heard.push(error.message));
      page.on('dialog', async (question) => {
        const answer = answers.get(page);
        if (answer === undefined) heard.push(`${question.type()} ${question.message()}`);
        await (answer?.(question) ?? question.dismiss());
      });
      page.on('console', (message) => {
        const status = Number(/the server responded with a status of (\d+)/.exec(message.text())?.[1] ?? OFFLINE);
        const isFailure = message.text().startsWith('Failed to load resource');
        if (!isFailure || !expected.get(page)!.has(status)) heard.push(`${message.text()} ${message.location().url}`);
      });
      await page.goto(`${url}/board${at === '' ? '' : `#${at}`}`);
      return page;
    },
    sent(page, methods = ['POST', 'PUT', 'DELETE']) {
      return recorded
        .get(page)!
        .filter((request) => methods.includes(request.method()) && request.url().startsWith(`${url}/api`))
        .map((request) => ({
          method: request.method(),
          path: request.url().slice(url.length),
          body: request.headers()['content-type'] === 'application/json' ? (request.postDataJSON() as unknown) : null,
        }));
    },
    expectStatus(page, ...statuses) {
      for (const status of statuses) expected.get(page)!.add(status);
    },
    onQuestion(page, answer) {
      answers.set(page, answer);
    },
    /** Every page kept to the documented interface, and nothing was complained of. */
    async close() {
      for (const context of contexts) await context.close();
      await network.close();
      await service.close();
      await espalier.close();
      for (const [page, requests] of recorded) {
        expect(complaints.get(page), 'the console').to.deep.equal([]);
        for (const request of requests) requireDocumented(url, request);
      }
    },
  };
}

const templates = Object.entries(openApi().paths as Record<string, object>).map(([path, item]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: Object.keys(item).map((method) => method.toUpperCase()),
}));

function requireDocumented(url: string, request: Request): void {
  expect(request.url()).to.satisfy((asked: string) => asked.startsWith(`${url}/`));
  expect(request.url()).not.to.include('esp_');
  const { pathname } = new URL(request.url());
  if (STATIC.includes(pathname)) return;
  const found = templates.some(({ pattern, methods }) => pattern.test(pathname) && methods.includes(request.method()));
  expect(found, `${request.method()} ${pathname} is documented`).to.equal(true);
}

/** A workspace of Ada's with a board of three columns. */
export async function sampleBoard(ada: Session, cards: readonly string[] = ['First', 'Second', 'Third']) {
  const { id: workspaceId, alias } = await ada.workspaces.create({ name: 'Acme', defaultAccess: 300 });
  const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Launch' });
  const statuses: string[] = [];
  for (const name of ['Todo', 'Doing', 'Done']) {
    statuses.push((await ada.statuses.create({ workspaceId, boardId, name, done: name === 'Done' })).id);
  }
  const made = await ada.tasks.createMany({
    workspaceId,
    tasks: cards.map((title) => ({ boardId, statusId: statuses[0]!, title })),
  });
  const ids = made.map(({ id }) => id);
  return {
    workspaceId,
    alias,
    boardId,
    statuses,
    ids,
    at: new URLSearchParams({ workspace: alias, board: boardId }).toString(),
  };
}

/** A board of which the administrator has opened the first card. */
export async function openedCard({ admin, open }: Pick<Watched, 'admin' | 'open'>) {
  const made = await sampleBoard(admin);
  const page = await open(admin);
  await page.getByRole('button', { name: 'First', exact: true }).click();
  await page.getByLabel('Title').waitFor();
  // The last that comes: it moves what is below it.
  await page.getByRole('group', { name: 'assignees' }).getByLabel('Ada').waitFor();
  const taskId = made.ids[0]!;
  const stored = () => admin.tasks.get({ workspaceId: made.workspaceId, taskId });
  return { ...made, page, taskId, stored, dialog: page.getByRole('dialog') };
}

/** Resolves when a column shows cards with these titles and no others. */
export async function waitForColumn(page: Page, column: string, titles: readonly string[]): Promise<void> {
  const shown = `[...document.querySelectorAll('.column')]
    .filter((one) => one.querySelector('h2 span').textContent === ${JSON.stringify(column)})
    .flatMap((one) => [...one.querySelectorAll('.title')].map((title) => title.textContent))`;
  await until(page, `JSON.stringify(${shown}) === ${JSON.stringify(JSON.stringify(titles))}`);
}

/**
 * Resolves when an expression is true in the page, asked once a frame. The page itself may evaluate no text: its policy
 * forbids that, which `waitForFunction` stumbles on.
 */
export async function until(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 45_000; Date.now() < end;) {
    if ((await page.evaluate(`new Promise((show) => requestAnimationFrame(() => show(${expression})))`)) === true)
      return;
  }
  throw new Error(`Never true: ${expression}`);
}

/** Holds back the changes that a page sends until they are let go. @param method of the requests that are held */
export async function holdWrites(page: Page, method = 'PUT'): Promise<() => Promise<void>> {
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === method) await held;
    await route.continue();
  });
  return async () => {
    letGo();
    await page.unroute('**/api/**');
  };
}

/** The next answer to a request, which is held back when it is there. */
export interface HeldAnswer {
  readonly isThere: Promise<void>;
  /** Resolves when the page has the answer. */
  letGo(): Promise<void>;
}

/** Holds back the first answer that a page gets from an address, as the service gave it. */
export async function holdAnswer(page: Page, address: string): Promise<HeldAnswer> {
  const [there, held, given] = [latch(), latch(), latch()];
  const hold = async (route: Route) => {
    const response = await route.fetch();
    there.open();
    await held.opened;
    await route.fulfill({ response });
    given.open();
  };
  await page.route(address, hold, { times: 1 });
  return {
    isThere: there.opened,
    letGo() {
      held.open();
      return given.opened;
    },
  };
}

function latch() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Keeps from a page what others change, until it is let go. */
export async function holdChanges(page: Page): Promise<() => Promise<void>> {
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/changes?**', async (route) => {
    await held;
    await route.continue();
  });
  await untilItFollows(page);
  return async () => {
    letGo();
    await page.unroute('**/changes?**');
  };
}

/** Resolves when a page has read everything and asks for what changes. */
export async function untilItFollows(page: Page): Promise<void> {
  const asked = page.waitForRequest(/[/]changes[?]/);
  // What waits already is asked anew.
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await asked;
}
