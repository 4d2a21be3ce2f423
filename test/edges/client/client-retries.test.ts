import { getEventListeners } from 'node:events';
import { types } from 'node:util';
import { expect } from 'chai';
import { nextTurn } from '../../../adapters/event-loop/next-turn.ts';
import { createClient } from '../../../adapters/client/index.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Session } from '../../../core/session.ts';
import { eachOf } from '../../fixtures/each-of.ts';
import { failure } from '../../fixtures/errors.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';
import type { Api } from '../http/support.ts';
import { newClientService } from './service.ts';

describe('The client, when the connection fails,', () => {
  let api: Api;
  let url: string;
  let token: string;
  let workspaceId: string;

  before(async () => {
    ({ api, url, token, workspaceId } = await newClientService());
  });
  after(() => api.close());

  function flaky(failures: number, fail: () => Promise<Response>) {
    const asked: RequestInit[] = [];
    const waited: number[] = [];
    const session = createClient({
      url,
      token,
      fetch(address, init) {
        asked.push(init);
        return asked.length <= failures ? fail() : fetch(address, init);
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

  it('ends a pause when its caller ends the call, and asks no more', async () => {
    for (const fail of [lost, busy]) {
      const stop = new AbortController();
      const reason = new Error('enough');
      let asked = 0;
      const session = createClient({
        url,
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
    const session = createClient({ url, fetch: busyForLong });
    await session.me.get(undefined, { signal: stop.signal }).catch(() => undefined);
    expect(timers()).to.equal(before);
  });

  it('ends an export with the reason of its caller', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const sink = () => stop.abort(reason);
    const exported = createClient({ url, token }).exports.workspace({ workspaceId, sink }, { signal: stop.signal });
    expect(await exported.catch((error: unknown) => error)).to.equal(reason);
  });

  it('leaves nothing at the signal of a call that has ended', async () => {
    const { signal } = new AbortController();
    const session = createClient({ url, token });
    for (let calls = 0; calls < 3; calls += 1) await session.me.get(undefined, { signal });
    for await (const item of session.changes.snapshot({ workspaceId }, { signal })) expect(item).to.be.an('object');
    const parts: readonly unknown[] = Object.getOwnPropertySymbols(signal).map((key) => Reflect.get(signal, key));
    for (const part of parts) if (types.isSet(part)) expect(part.size).to.equal(0);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('has one listener at the signal of many calls, each of which it ends', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const unanswered = (_url: string, { signal }: RequestInit) =>
      new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
    const session = createClient({ url, fetch: unanswered });
    const paused = createClient({ url, fetch: busy, sleep: () => new Promise(() => {}) });
    const calls = [session, session, paused, paused].map((one) =>
      one.me.get(undefined, { signal: stop.signal }).catch((error: unknown) => error),
    );
    await nextTurn();
    expect(getEventListeners(stop.signal, 'abort')).to.have.length(1);
    stop.abort(reason);
    expect(await Promise.all(calls)).to.deep.equal(calls.map(() => reason));
    expect(getEventListeners(stop.signal, 'abort')).to.deep.equal([]);
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
    const answering = (status: number) => () => Promise.resolve(new Response('<html>', { status }));
    for (const status of [500, 502, 503, 504]) {
      expect(await told(answering(status), remove), `${status}`).to.equal(true);
      expect(await told(answering(status), ({ imports }) => imports.workspace({ records: eachOf([]) }))).to.equal(true);
      expect(await told(answering(status), (session) => session.me.get())).to.equal(false);
    }
    expect(await told(answering(408), remove)).to.equal(false);
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
    const cutLater = createClient({ url, token, fetch: cut });
    expect((await failure(cutLater.imports.workspace({ records }))).code).to.equal('store-unavailable');
    const short = createClient({ url, fetch: () => Promise.resolve(new Response('{"id":', json)) });
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

  it('waits while the service is busy, and gives up in the end', async () => {
    const busyOnce = flaky(1, busy);
    await busyOnce.session.tokens.create({ name: 'x' });
    expect(busyOnce.asked).to.have.length(2);
    const never = flaky(9, lost);
    expect((await failure(never.session.me.get())).code).to.equal('store-unavailable');
    expect(never.asked).to.have.length(4);
  });
});
