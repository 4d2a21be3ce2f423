import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { createClient } from '../../../../adapters/client/index.ts';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ExpectedVersion } from '../../../../core/kernel/record.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import type { Session } from '../../../../core/session.ts';
import { eachOf } from '../../../fixtures/each-of.ts';
import type { TransferRecord } from '../../../../core/model/transfer-record.ts';
import { collectGarbage } from '../../../fixtures/garbage.ts';

async function failure(work: Promise<unknown>): Promise<EspalierError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof EspalierError) return error;
  throw error;
}

describe('The client', () => {
  let espalier: Espalier;
  let service: Service;
  let local: Session;
  let remote: Session;
  let token: string;
  let workspaceId: string;

  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    ({ token } = await espalier.tokens.createFor({ userId: user.id, name: 'test' }));
    const { engine, identity } = espalier;
    service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
    local = espalier.as(user);
    remote = createClient({ url: `${service.url}/`, token });
    workspaceId = (await remote.workspaces.create({ name: 'Acme' })).id;
  });
  after(async () => {
    await service.close();
    await espalier.close();
  });

  it('takes the current version where one is required, if it is asked to', async () => {
    const { engine, identity } = espalier;
    const ready = () => espalier.store.ready();
    const strict = await startService({ engine, identity, ready, port: 0, requireIfMatch: true });
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
      const { workspaces, me } = createClient({ url: service.url, token, fetch: () => Promise.resolve(answer()) });
      for (const call of [workspaces.list(), me.get()]) {
        expect((await failure(call)).code).to.equal('store-unavailable');
      }
    });
  }

  it('tells a service of another kind by a record in place of a page of a list', async () => {
    const { tasks } = createClient({ url: service.url, token, fetch: () => Promise.resolve(Response.json({})) });
    expect((await failure(tasks.list({ workspaceId }))).code).to.equal('store-unavailable');
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
    expect((await failure(createClient({ url: service.url }).me.get())).code).to.equal('unauthenticated');
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

  describe('when the connection fails', () => {
    function flaky(failures: number, fail: () => Promise<Response>) {
      const asked: RequestInit[] = [];
      const waited: number[] = [];
      const session = createClient({
        url: service.url,
        token,
        fetch(url, init) {
          asked.push(init);
          return asked.length <= failures ? fail() : fetch(url, init);
        },
        sleep: (ms) => Promise.resolve(void waited.push(ms)),
      });
      return { asked, waited, session };
    }
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const problem = (status: number, code: string) => () => Promise.resolve(Response.json({ code }, { status }));
    const busy = problem(503, 'store-busy');
    const crowded = problem(409, 'column-crowded');
    const refused = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
    const reset = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));

    it('asks again what cannot do anything twice', async () => {
      const { asked, session } = flaky(2, lost);
      await session.me.get();
      expect(asked).to.have.length(3);
    });

    it('gives up an answer that does not come, also where a signal could end the call', async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      try {
        const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
        const session = createClient({ url, timeout: 500, retries: 0 });
        const { signal } = new AbortController();
        const got = failure(session.me.get(undefined, { signal }));
        const isOver = got.then(() => true);
        while (!(await Promise.race([isOver, collectGarbage().then(() => false)])));
        expect((await got).code).to.equal('store-unavailable');
      } finally {
        silent.closeAllConnections();
        silent.close();
      }
    });

    it('ends a pause when its caller ends the call, and asks no more', async () => {
      for (const fail of [lost, busy]) {
        const stop = new AbortController();
        const reason = new Error('enough');
        let asked = 0;
        const session = createClient({
          url: service.url,
          fetch: () => fail().finally(() => (asked += 1)),
          sleep: () => {
            stop.abort(reason);
            return new Promise(() => {});
          },
        });
        const got = session.me.get(undefined, { signal: stop.signal });
        expect(await got.catch((error: unknown) => error)).to.equal(reason);
        expect(asked).to.equal(1);
      }
    });

    it('leaves no timer when its caller ends the call in a pause', async () => {
      const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
      // The timer of the test itself is there by then.
      await collectGarbage();
      const before = timers();
      const stop = new AbortController();
      const busyForLong = () => {
        setImmediate(() => stop.abort());
        return Promise.resolve(Response.json({ code: 'store-busy' }, { status: 503, headers: { 'retry-after': '5' } }));
      };
      const session = createClient({ url: service.url, fetch: busyForLong });
      await session.me.get(undefined, { signal: stop.signal }).catch(() => undefined);
      expect(timers()).to.equal(before);
    });

    it('asks again where a column is being respread, and not for other conflicts', async () => {
      const { asked, session } = flaky(2, crowded);
      await session.workspaces.create({ name: 'After two refusals' });
      expect(asked).to.have.length(3);
      const other = flaky(1, problem(409, 'quota-exceeded'));
      expect((await failure(other.session.workspaces.create({ name: 'Never' }))).code).to.equal('quota-exceeded');
      expect(other.asked).to.have.length(1);
    });

    it('asks for something new again under the same key', async () => {
      const { asked, session } = flaky(1, lost);
      await session.workspaces.create({ name: 'Other' });
      const keys = asked.map(({ headers }) => new Headers(headers).get('idempotency-key'));
      expect(keys[0]).to.be.a('string').and.equal(keys[1]);
    });

    it('does not ask again for a secret, a deletion, or a change of a certain version', async () => {
      for (const call of [
        (session: Session) => session.tokens.create({ name: 'x' }),
        (session: Session) => session.workspaces.delete({ workspaceId }),
        (session: Session) => session.me.update({ phone: '1' }, { ifVersion: [1] }),
      ]) {
        const { asked, session } = flaky(1, lost);
        expect((await failure(call(session))).code).to.equal('store-unavailable');
        expect(asked).to.have.length(1);
      }
    });

    it('asks again for anything while there is no connection, and not behind one that broke', async () => {
      const waiting = flaky(1, refused);
      await waiting.session.tokens.create({ name: 'x' });
      expect(waiting.asked).to.have.length(2);
      const broken = flaky(1, reset);
      expect((await failure(broken.session.tokens.create({ name: 'x' }))).code).to.equal('store-unavailable');
      expect(broken.asked).to.have.length(1);
    });

    it('says that it is not known whether a change was made where it may have been, and nowhere else', async () => {
      const told = async (fails: () => Promise<Response>, call: (session: Session) => Promise<unknown>) => {
        const { detail } = await failure(call(flaky(9, fails).session));
        return /not known/.test(detail);
      };
      const remove = (session: Session) => session.workspaces.delete({ workspaceId });
      expect(await told(lost, remove)).to.equal(true);
      expect(await told(lost, (session) => session.workspaces.create({ name: 'x' }))).to.equal(true);
      expect(await told(lost, ({ imports }) => imports.workspace({ records: eachOf([]) }))).to.equal(true);
      expect(await told(refused, remove)).to.equal(false);
      expect(await told(lost, (session) => session.me.get())).to.equal(false);
      let tries = 0;
      const first = () => (tries++ === 0 ? lost() : refused());
      expect(await told(first, (session) => session.workspaces.create({ name: 'x' }))).to.equal(true);
    });

    it('does not ask again where a service that lost its store may have done it', async () => {
      const { asked, session } = flaky(1, problem(503, 'store-unavailable'));
      expect((await failure(session.tokens.create({ name: 'x' }))).code).to.equal('store-unavailable');
      expect(asked).to.have.length(1);
      const safe = flaky(1, problem(503, 'store-unavailable'));
      await safe.session.me.get();
      expect(safe.asked).to.have.length(2);
    });

    it('asks again where a proxy cannot reach the service, unless it may have done it', async () => {
      for (const status of [502, 503, 504]) {
        const away = () => Promise.resolve(new Response('<html>', { status }));
        const safe = flaky(2, away);
        await safe.session.workspaces.create({ name: 'Behind a proxy' });
        expect(safe.asked).to.have.length(3);
        const { asked, session } = flaky(1, away);
        expect((await failure(session.tokens.create({ name: 'x' }))).code).to.equal('store-unavailable');
        expect(asked).to.have.length(1);
      }
    });

    it('asks again for anything that has not arrived in time, and says at last that the service cannot work', async () => {
      const late = () => Promise.resolve(new Response(null, { status: 408 }));
      const { asked, session } = flaky(2, late);
      await session.tokens.create({ name: 'x' });
      expect(asked).to.have.length(3);
      const { code, detail } = await failure(flaky(9, late).session.tokens.create({ name: 'x' }));
      expect(code).to.equal('store-unavailable');
      expect(detail).not.to.match(/is not Espalier/);
    });

    it('takes a connection that is lost within an answer as one that is lost before it', async () => {
      const json = { headers: { 'content-type': 'application/json' } };
      const cut = () => {
        const start = (body: ReadableStreamDefaultController) => {
          body.enqueue(new TextEncoder().encode('{"id":'));
          body.error(new TypeError('terminated'));
        };
        return Promise.resolve(new Response(new ReadableStream({ start }), json));
      };
      const { asked, session } = flaky(2, cut);
      await session.workspaces.create({ name: 'Answered at the third time' });
      expect(asked).to.have.length(3);
      const never = flaky(9, cut);
      expect((await failure(never.session.me.get())).code).to.equal('store-unavailable');
      expect(never.asked).to.have.length(4);
      const once = flaky(1, cut);
      const versioned = once.session.me.update({ phone: '1' }, { ifVersion: [1] });
      expect((await failure(versioned)).code).to.equal('store-unavailable');
      expect(once.asked).to.have.length(1);
      const records = (async function* () {})();
      const cutLater = createClient({ url: service.url, token, fetch: cut });
      expect((await failure(cutLater.imports.workspace({ records }))).code).to.equal('store-unavailable');
      const short = createClient({ url: service.url, fetch: () => Promise.resolve(new Response('{"id":', json)) });
      expect((await failure(short.me.get())).code).to.equal('store-unavailable');
    });

    it('waits as long as it is told to', async () => {
      const later = () => Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '3' } }));
      const { waited, session } = flaky(2, later);
      await session.me.get();
      expect(waited).to.deep.equal([3_000, 3_000]);
    });

    it('waits a little longer each time where it is not told', async () => {
      const { waited, session } = flaky(3, busy);
      await session.me.get();
      expect(waited).to.have.length(3);
      for (const [i, ms] of waited.entries()) expect(ms).to.be.within(50 * 2 ** i, 150 * 2 ** i);
    });

    it('gives up what is not answered, and says so', async () => {
      const hanging = createServer(({ url: path }, response) => {
        if (path === '/api/me/token') response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      }).listen(0, '127.0.0.1');
      await once(hanging, 'listening');
      const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
      const session = createClient({ url, token, retries: 0, timeout: 50 });
      expect((await failure(session.me.get())).code).to.equal('store-unavailable');
      expect((await failure(session.tokens.list({}))).code).to.equal('store-unavailable');
      const sink = () => Promise.resolve();
      expect((await failure(session.exports.workspace({ workspaceId, sink }))).code).to.equal('store-unavailable');
      const records = (async function* () {})();
      expect((await failure(session.imports.workspace({ records }))).code).to.equal('store-unavailable');
      hanging.closeAllConnections();
      hanging.close();
    });

    it('takes an answer that comes slowly for as long as it comes', async () => {
      const timeout = 1_000;
      const slowly = async (_url: string, { signal }: RequestInit) => {
        const parts = ['{"id":', '"', workspaceId, '"', '}'];
        const pull = async (body: ReadableStreamDefaultController) => {
          await setTimeout(0.4 * timeout, null, { signal: signal as AbortSignal });
          body.enqueue(new TextEncoder().encode(parts.shift()));
          if (parts.length === 0) body.close();
        };
        return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } });
      };
      const session = createClient({ url: 'http://127.0.0.1', token, retries: 0, timeout, fetch: slowly });
      expect(await session.workspaces.get({ workspaceId })).to.deep.equal({ id: workspaceId });
    });

    it('waits longer for an import to be taken, and for its answer, than for other data to move', async () => {
      const [timeout, answer] = [20, { workspace: { id: workspaceId } }];
      const late = async (_url: string, { body, signal }: RequestInit) => {
        for await (const part of body as ReadableStream<Uint8Array>) {
          expect(part.length).to.be.above(0);
          await setTimeout(3 * timeout, null, { signal: signal as AbortSignal });
        }
        return Response.json(answer, { status: 201 });
      };
      const session = createClient({ url: 'http://127.0.0.1', token, retries: 0, timeout, fetch: late });
      const records: TransferRecord[] = [];
      await local.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
      const many = Array.from({ length: 500 }, () => records[0]!);
      expect(await session.imports.workspace({ records: eachOf(many) })).to.deep.equal(answer);
      expect(await session.imports.workspace({ records: eachOf([]) })).to.deep.equal(answer);
    });

    it('asks for a transfer again while nothing of it has moved', async () => {
      for (const fail of [refused, reset, busy]) {
        const exporting = flaky(1, fail);
        const sent: TransferRecord[] = [];
        await exporting.session.exports.workspace({ workspaceId, sink: async (record) => void sent.push(record) });
        expect(exporting.asked).to.have.length(2);
        const importing = flaky(1, fail);
        const records = (async function* () {
          yield* sent;
        })();
        expect((await failure(importing.session.imports.workspace({ records }))).code).to.equal('workspace-exists');
        expect(importing.asked).to.have.length(2);
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
        const session = createClient({ url: service.url, token, retries: 0, fetch: answer });
        expect((await failure(session.me.get())).code).to.equal('store-unavailable');
        const sink = () => Promise.resolve();
        expect((await failure(session.exports.workspace({ workspaceId, sink }))).code).to.equal('store-unavailable');
      }
    });

    it('waits while the service is busy, and gives up in the end', async () => {
      const busyOnce = flaky(1, busy);
      await busyOnce.session.tokens.create({ name: 'x' });
      expect(busyOnce.asked).to.have.length(2);
      const never = flaky(9, lost);
      expect((await failure(never.session.me.get())).code).to.equal('store-unavailable');
      expect(never.asked).to.have.length(4);
    });
  });
});
