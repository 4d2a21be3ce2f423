import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../adapters/client/index.ts';
import { serve, type Service } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { pageEntry } from '../../../core/model/access/page-entry.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Session } from '../../../core/session.ts';
import { newId, page, status, tag, workspace } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { cli } from '../cli/in-process.ts';

const DEPTH = 100;
const MOST = { pageEntries: 2_000, statuses: 500, tags: 2_000, comments: 2_000, assignees: 1_000, taskTags: 1_000 };
const FULL = 'quota-exceeded';

/** A chain of folders below each other, the top first. */
function chain(workspaceId: string, length: number): Page[] {
  const pages: Page[] = [];
  for (let n = 0; n < length; n += 1) pages.push(page(workspaceId, { parentId: pages.at(-1)?.id ?? null }));
  return pages;
}

function many<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

/** A workspace in which every quota that holds by default is used up, made past the engine. */
async function fullWorkspace(espalier: Espalier) {
  const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
  const session = espalier.as(ada);
  const { id: workspaceId, memberId } = await session.workspaces.create({ name: 'Acme' });
  const at = { workspaceId };
  const pages = chain(workspaceId, DEPTH);
  const [deepest, above] = [pages.at(-1)!, pages.at(-2)!];
  const pair = chain(workspaceId, 2);
  const entries = Object.fromEntries(many(MOST.pageEntries, () => [newId(), pageEntry(100, 1)]));
  const crowd = page(workspaceId, { entries });
  const { id: boardId } = await session.boards.create({ ...at, name: 'Board' });
  await session.statuses.create({ ...at, boardId, name: 'Todo' });
  const { id: tagId } = await session.tags.create({ ...at, boardId, name: 'red' });
  const { id: taskId } = await session.tasks.create({ ...at, boardId, title: 'Task' });
  await espalier.store.write(async (tx) => {
    await tx.structures.change((await tx.structures.get(workspaceId))!, { pages: [...pages, ...pair, crowd] });
    const board = (await tx.boards.get(workspaceId, boardId))!;
    const statuses = [
      ...board.statuses,
      ...many(MOST.statuses - 1, (n) => status({ name: `s${n}`, orderKey: 2e6 + n })),
    ];
    const tags = [...board.tags, ...many(MOST.tags - 1, (n) => tag({ name: `t${n}` }))];
    await tx.boards.replace({ ...board, statuses, tags });
    const task = (await tx.tasks.get(workspaceId, taskId))!;
    const held = { tags: tags.slice(1, 1 + MOST.taskTags).map(({ id }) => id), assignees: many(MOST.assignees, newId) };
    await tx.tasks.replace({ ...task, ...held, commentCount: MOST.comments });
  });
  const { token } = await session.tokens.create({ name: 'door' });
  return { session, token, at, memberId, deepest, above, pair, crowd, boardId, tagId, taskId };
}

type Full = Awaited<ReturnType<typeof fullWorkspace>>;

/** Every call that could go beyond one of them. */
function calls(session: Session, full: Full): Readonly<Record<string, () => Promise<unknown>>> {
  const { at, deepest, above, pair, crowd, boardId, tagId, taskId, memberId } = full;
  const below = { ...at, name: 'deeper', parentId: deepest.id };
  return {
    'pages.create folder': () => session.pages.create({ ...below, type: 'folder' }),
    'pages.create board': () => session.pages.create({ ...below, type: 'board' }),
    'pages.create task': () => session.pages.create({ ...below, type: 'task' }),
    'pages.create of a task': () => session.pages.create({ ...below, type: 'task', taskId }),
    'boards.create': () => session.boards.create(below),
    'pages.update': () => session.pages.update({ ...at, pageId: boardId, parentId: deepest.id }),
    'pages.update of two': () => session.pages.update({ ...at, pageId: pair[0]!.id, parentId: above.id }),
    'access.grant': () => session.access.grant({ ...at, pageId: crowd.id, memberId, access: 400 }),
    'statuses.create': () => session.statuses.create({ ...at, boardId, name: 'another' }),
    'tags.create': () => session.tags.create({ ...at, boardId, name: 'another' }),
    'comments.create': () => session.comments.create({ ...at, taskId, content: 'another' }),
    'tasks.assign': () => session.tasks.assign({ ...at, taskId, memberId }),
    'tasks.addTag': () => session.tasks.addTag({ ...at, taskId, tagId }),
    'imports.workspace of pages': () => session.imports.workspace({ records: imported({ depth: DEPTH + 1 }) }),
    'imports.workspace of entries': () =>
      session.imports.workspace({ records: imported({ entries: MOST.pageEntries + 1 }) }),
    'imports.workspace of statuses': () =>
      session.imports.workspace({ records: imported({ statuses: MOST.statuses + 1 }) }),
  };
}

/** An exported workspace with too much of something. */
async function* imported({ depth = 1, entries = 0, statuses = 1 }): AsyncIterableIterator<TransferRecord> {
  const record = workspace();
  const { id: workspaceId, createdAt, updatedAt, version } = record;
  const boardId = newId();
  const versions = { createdAt, updatedAt, version };
  yield { kind: 'workspace', record, lastNum: 0 };
  // An entry is of a member, if only of a former one.
  const people = many(entries + 1, () => ({ userId: newId(), memberId: newId() }));
  for (const { userId: id } of people) {
    const person = { name: 'Ben', email: `${id}@example.org`, emailVerified: true, avatar: null, phone: null };
    yield { kind: 'user', record: { id, ...person, ...versions } };
  }
  for (const [n, { userId, memberId: id }] of people.entries()) {
    const given = n === 0 ? { role: 40, active: true, leftAt: null } : { role: 20, active: false, leftAt: createdAt };
    const member = { id, workspaceId, userId, position: '', membership: 1, ...given };
    yield { kind: 'member', record: { ...member, ...versions } };
  }
  const [owner, ...former] = people;
  const { memberId } = owner!;
  for (const each of chain(workspaceId, depth)) yield { kind: 'page', record: { ...each, createdById: memberId } };
  const crowd = Object.fromEntries(former.map((one) => [one.memberId, pageEntry(100, 1)]));
  yield { kind: 'page', record: page(workspaceId, { createdById: memberId, entries: crowd }) };
  const ofBoard = { id: boardId, createdById: memberId };
  yield { kind: 'page', record: page(workspaceId, { ...ofBoard, name: 'Board', type: 'board', contentId: boardId }) };
  const board = { workspaceId, name: 'Board', description: '', externalId: null, tags: [], ...ofBoard, ...versions };
  yield {
    kind: 'board',
    record: { ...board, statuses: many(statuses, (n) => status({ name: `s${n}`, orderKey: n })) },
  };
}

/** The same by the command line, of what it has a command for. */
function commands({ at, deepest, boardId, crowd, above, pair, taskId }: Full): Readonly<Record<string, string[]>> {
  const there = ['--workspace', at.workspaceId];
  return {
    'page create': ['page', 'create', '--name', 'deeper', '--type', 'folder', '--parent', deepest.id, ...there],
    'board create': ['board', 'create', '--name', 'deeper', '--parent', deepest.id, ...there],
    'page move': ['page', 'move', pair[0]!.id, '--to', above.id, ...there],
    'access grant': ['access', 'grant', crowd.id, 'ada@example.org', 'full', ...there],
    'status create': ['status', 'create', '--board', boardId, '--name', 'another', ...there],
    'tag create': ['tag', 'create', '--board', boardId, '--name', 'another', ...there],
    'comment create': ['comment', 'create', taskId, 'another', ...there],
  };
}

describe('Quotas that hold where none is set', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-quotas-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const stores: Readonly<Record<string, (context: Mocha.Context) => Promise<Store>>> = {
    memory: async () => memoryStore(),
    embedded: async () => embeddedStore({ path: join(folder, 'quotas.db') }),
    MongoDB: async (context) => {
      await mongodbUrl(context);
      return emptyMongodbStore('default-quotas');
    },
  };

  for (const [name, open] of Object.entries(stores)) {
    describe(`on ${name}`, function () {
      this.timeout(120_000);
      let espalier: Espalier;
      let service: Service;
      let full: Full;

      before(async function () {
        espalier = createEspalier({ store: await open(this) });
        service = await serve(espalier, { port: 0 });
        full = await fullWorkspace(espalier);
      });

      after(async () => {
        await service?.close();
        await espalier?.close();
      });

      it('hold in the library', async () => {
        for (const [call, make] of Object.entries(calls(full.session, full))) {
          expect(await outcome(make()), call).to.equal(FULL);
        }
      });

      it('hold over HTTP', async () => {
        const client = createClient({ url: service.url, token: full.token });
        for (const [call, make] of Object.entries(calls(client, full))) {
          expect(await outcome(make()), call).to.equal(FULL);
        }
      });

      it('hold for the command line', async () => {
        const env = { ESPALIER_URL: service.url, ESPALIER_TOKEN: full.token, XDG_CONFIG_HOME: folder };
        for (const [command, args] of Object.entries(commands(full))) {
          const { code, stderr } = await cli(args, { env, cwd: folder });
          expect(code, command).to.be.above(0);
          expect(stderr, command).to.include(FULL);
        }
      });

      it('are all that hold: nothing else was refused for a quota', async () => {
        const limits = await espalier.operator.quotas.get();
        const { createdAt: _, updatedAt: __, version: ___, ...set } = limits;
        const limited = Object.fromEntries(Object.entries(set).filter(([, limit]) => limit !== null));
        // Copies: only unfinished ones count, as test/unit/core/copy/copies.test.ts shows.
        expect(limited).to.deep.equal({ depth: DEPTH, copies: 10, ...MOST });
      });
    });
  }
});
