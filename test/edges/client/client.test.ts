import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import type { ExpectedVersion } from '../../../core/kernel/record.ts';
import type { Session } from '../../../core/session.ts';
import { failure } from '../../fixtures/errors.ts';
import type { Api } from '../http/support.ts';
import { newClientService } from './service.ts';

describe('The client', () => {
  let api: Api;
  let local: Session;
  let remote: Session;
  let url: string;
  let token: string;
  let workspaceId: string;

  before(async () => {
    ({ api, local, url, token, workspaceId } = await newClientService());
    remote = createClient({ url: `${url}/`, token });
  });
  after(() => api.close());

  it('takes the current version where one is required, if it is asked to', async () => {
    const { engine, identity, store } = api.espalier;
    const strict = await startService({ engine, identity, ready: () => store.ready(), port: 0, requireIfMatch: true });
    try {
      const input = { workspaceId: (await remote.workspaces.create({ name: 'Strict' })).id, name: 'Stricter' };
      const refused = await failure(createClient({ url: strict.url, token }).workspaces.update(input));
      expect(refused.code).to.equal('precondition-required');
      const session = createClient({ url: strict.url, token, takeCurrentVersion: true });
      expect((await session.workspaces.update(input)).name).to.equal('Stricter');
      const stale = session.workspaces.update({ ...input, name: 'Too late' }, { ifVersion: [1] });
      expect((await failure(stale)).code).to.equal('version-mismatch');
      const here = { workspaceId: input.workspaceId };
      const board = { ...here, boardId: (await remote.boards.create({ ...here, name: 'Dev' })).id };
      await remote.boards.update({ ...board, name: 'Development' });
      const { id } = await remote.statuses.create({ ...board, name: 'Todo' });
      const status = { ...board, statusId: id.toUpperCase(), name: 'Next' };
      expect((await session.statuses.update(status)).name).to.equal('Next');
      const [member] = await remote.members.list(here);
      const lead = { ...here, memberId: member!.id.toUpperCase(), position: 'Lead' };
      expect((await session.members.update(lead)).position).to.equal('Lead');
      const missing = session.workspaces.update({ ...input, workspaceId: crypto.randomUUID() });
      expect((await failure(missing)).code).to.equal('not-found');
    } finally {
      await strict.close();
    }
  });

  for (const [name, answer] of [
    ['no content', () => new Response(null, { status: 204 })],
    ['null', () => Response.json(null)],
    ['a text', () => Response.json('ok')],
  ] as const) {
    it(`tells a service of another kind by ${name} in place of what was asked for`, async () => {
      const { workspaces, me } = createClient({ url, token, fetch: () => Promise.resolve(answer()) });
      for (const call of [workspaces.list(), me.get()]) {
        expect((await failure(call)).code).to.equal('store-unavailable');
      }
    });
  }

  it('tells a service of another kind by a record in place of a list, and by a list in place of a record', async () => {
    const by = (json: object) => createClient({ url: url, token, fetch: () => Promise.resolve(Response.json(json)) });
    for (const call of [by({}).tasks.list({ workspaceId }), by({}).workspaces.list(), by([]).me.get()]) {
      expect((await failure(call)).code).to.equal('store-unavailable');
    }
  });

  it('refuses a URL that cannot be that of a service, and repeats nothing of it', async () => {
    for (const url of [
      '',
      'tasks.example.org',
      'localhost:4800',
      'ftp://tasks.example.org',
      'http:///x',
      'http://a b',
      'https://ada:hunter2@tasks.example.org',
      'https://hunter2@tasks.example.org',
      'https://tasks.example.org?hunter2',
      'https://tasks.example.org/#hunter2',
    ]) {
      const refused = await failure(Promise.resolve().then(() => createClient({ url })));
      expect([refused.code, refused.errors.map(({ pointer }) => pointer)], url).to.deep.equal([
        'invalid-input',
        ['/url'],
      ]);
      expect(refused.message).not.to.include('hunter2');
    }
    for (const url of ['http://127.0.0.1:4800', 'HTTPS://tasks.example.org//', 'https://example.org/tasks/api/']) {
      expect(createClient({ url }), url).to.have.property('me');
    }
  });

  it('has the shape of a session in process', () => {
    for (const [noun, verbs] of Object.entries(local)) {
      expect(Object.keys(remote[noun as keyof Session]), noun).to.include.members(Object.keys(verbs));
    }
  });

  it('gives what the session in process gives', async () => {
    const board = await remote.boards.create({ workspaceId, name: 'Dev & co' });
    await remote.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    const tasks = Array.from({ length: 5 }, (_, i) => ({
      boardId: board.id,
      title: `a, b & ${i}`,
      externalId: `x,${i}`,
    }));
    await remote.tasks.createMany({ workspaceId, tasks });
    const address = { workspaceId, boardId: board.id };
    expect(await remote.boards.get(address)).to.deep.equal(await local.boards.get(address));
    for (const query of [
      {},
      { q: 'B &', complete: false },
      { externalId: ['x,1', 'x,3'], sort: ['-num'] as const },
      { boardId: [board.id], priority: [0, 100], assigneeId: ['none', 'me'] },
      { limit: 2, count: true },
      { sort: [] },
      { metadata: {} },
      { metadata: { sprint: [] } },
      { metadata: { sprint: [], team: ['a'] }, count: true },
      { excludeMetadata: { sprint: [] } },
      { noMetadata: [] },
      { boardId: [] },
      { excludeBoardId: [] },
    ]) {
      const input = { workspaceId, ...query };
      const there = await remote.tasks.list(input);
      const here = await local.tasks.list(input);
      expect({ ...there, next: null }).to.deep.equal({ ...here, next: null });
      expect(there.next === null).to.equal(here.next === null);
    }
    const { next } = await remote.tasks.list({ workspaceId, limit: 2 });
    const rest = await remote.tasks.list({ workspaceId, limit: 2, cursor: next! });
    expect(rest.items.map(({ num }) => num)).to.deep.equal([3, 4]);
    const preview = (session: Session) => session.access.preview({ workspaceId, pageId: board.id, parentId: null });
    expect(await preview(remote)).to.deep.equal(await preview(local));
    expect(await remote.boards.delete(address)).to.equal(undefined);
  });

  it('fails with the same codes and pointers', async () => {
    let since = '';
    await remote.workspaces.get({ workspaceId }, { onCursor: (cursor) => void (since = cursor) });
    const calls: readonly ((session: Session) => Promise<unknown>)[] = [
      (session) => session.workspaces.get({ workspaceId: 'none' }),
      (session) => session.workspaces.create({ name: '' }),
      (session) => session.workspaces.create({ name: 'Acme', alias: 'acme' }),
      (session) => session.tasks.create({ workspaceId, boardId: workspaceId, title: 'x' }),
      (session) => session.workspaces.update({ workspaceId, name: 'B' }, { ifVersion: [9] }),
      (session) => session.members.list({ workspaceId, surprise: 1 } as never),
      (session) => session.workspaces.update({ workspaceId, metadata: { score: NaN, most: -Infinity } }),
      (session) => session.workspaces.update({ workspaceId, name: '\ud800' }),
      (session) => session.workspaces.update({ workspaceId, name: 7n as never }),
      (session) => session.quotas.update({ tasks: Infinity }),
      (session) => session.tasks.list({ workspaceId, limit: NaN }),
      (session) => session.tasks.list({ workspaceId, q: '\ud800' }),
      (session) => session.tasks.list({ workspaceId, boardId: null as never }),
      (session) => session.tasks.list({ workspaceId, metadata: { sprint: null as never } }),
      (session) => session.changes.list({ workspaceId, since, wait: 61 }),
      (session) => session.changes.list({ workspaceId, since, wait: 1e12 }),
      (session) => session.changes.list({ workspaceId, since, wait: -60 }),
    ];
    for (const call of calls) {
      const [there, here] = [await failure(call(remote)), await failure(call(local))];
      expect(there.code, here.detail).to.equal(here.code);
      expect(there.errors.map(({ pointer }) => pointer)).to.deep.equal(here.errors.map(({ pointer }) => pointer));
    }
    expect((await failure(createClient({ url }).me.get())).code).to.equal('unauthenticated');
  });

  it('takes a version to expect', async () => {
    const { version } = await remote.workspaces.get({ workspaceId });
    const changed = await remote.workspaces.update({ workspaceId, name: 'Acme Inc.' }, { ifVersion: [1, version] });
    expect(changed.version).to.equal(version + 1);
  });

  it('takes what was read to expect, which tells whether that was with its board', async () => {
    const board = await remote.boards.create({ workspaceId, name: 'Read' });
    await remote.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    const task = await remote.tasks.create({ workspaceId, boardId: board.id, title: 'A' });
    const on = { workspaceId, taskId: task.id };
    const withoutBoard = { version: task.version, boardHidden: true };
    for (const session of [remote, local]) {
      const update = (ifVersion: readonly ExpectedVersion[], title: string) =>
        session.tasks.update({ ...on, title }, { ifVersion });
      expect((await failure(update([withoutBoard], 'B'))).code).to.equal('version-mismatch');
      expect((await failure(update([{ version: 99 }], 'B'))).code).to.equal('version-mismatch');
      const read = await session.tasks.get(on);
      await update([withoutBoard, read], `${read.title}B`);
      expect((await failure(update([read], 'C'))).code).to.equal('version-mismatch');
    }
  });

  it('sends the key that a call is given, so that it happens once', async () => {
    const call = { idempotencyKey: { key: 'key-1', digest: '' } };
    const made = await remote.workspaces.create({ name: 'Once' }, call);
    expect(await remote.workspaces.create({ name: 'Once' }, call)).to.deep.equal(made);
    expect((await failure(remote.workspaces.create({ name: 'Twice' }, call))).code).to.equal('key-reused');
  });

  it('knows what is no Espalier', async () => {
    const page = { 'content-type': 'text/html' };
    for (const response of [
      new Response('<html>', { headers: page }),
      new Response('<html>', { status: 404, headers: page }),
      new Response('', { status: 502 }),
      new Response('', { status: 301, headers: { location: 'https://elsewhere.example/' } }),
      Response.json({ message: 'no' }, { status: 404 }),
    ]) {
      const answer = () => Promise.resolve(response.clone());
      const session = createClient({ url, token, retries: 0, fetch: answer });
      expect((await failure(session.me.get())).code).to.equal('store-unavailable');
      const sink = () => Promise.resolve();
      expect((await failure(session.exports.workspace({ workspaceId, sink }))).code).to.equal('store-unavailable');
    }
  });
});
