import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { createClient, type ClientOptions } from '../../../adapters/client/index.ts';
import { jwtIdentity } from '../../../adapters/http/index.ts';
import type { TokenFunction } from '../../../adapters/client/remote-service.ts';
import { Stalled } from '../../../adapters/client/stall-timeout.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Session } from '../../../core/session.ts';
import { eachOf } from '../../fixtures/each-of.ts';
import { failure, rejects, throws } from '../../fixtures/errors.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { newApi, type Api } from '../http/support.ts';
import { AUDIENCE, localIssuer, type LocalIssuer } from '../identity/issuer.ts';

type Call = (session: Session) => Promise<unknown>;

describe('A client with a function for its token', () => {
  let issuer: LocalIssuer;
  let api: Api;
  let workspaceId: string;
  let records: TransferRecord[];
  let now: number;

  /** A token of Ada that is valid for a minute. */
  const fresh = async () => {
    const iat = Math.floor(now / 1_000);
    return issuer.sign({ iat, exp: iat + 60, jti: crypto.randomUUID() });
  };
  const expired = async () => {
    const token = await fresh();
    now += 61_000;
    return token;
  };

  before(async () => {
    issuer = await localIssuer();
    now = Date.now();
    const clock = { now: () => now };
    const identity = jwtIdentity({ issuer: issuer.url, audience: AUDIENCE, clock, clockTolerance: 0 });
    api = await newApi('through a socket', { espalier: createEspalier({ store: memoryStore(), identity, clock }) });
    const session = createClient({ url: api.url, token: fresh });
    const { id: userId } = await session.me.get();
    await api.espalier.users.update({ userId, administrator: true });
    ({ id: workspaceId } = await session.workspaces.create({ name: 'Acme' }));
    records = [];
    await session.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
  });
  after(() => Promise.all([api.close(), issuer.close()]));

  /** A client with such a function, which notes the tokens that it sends. */
  function clientOf(token: () => string | Promise<string>, more: Partial<ClientOptions> = {}) {
    const sent: (string | null)[] = [];
    const observed: ClientOptions['fetch'] = (url, init) => {
      sent.push(new Headers(init.headers).get('authorization'));
      return (more.fetch ?? fetch)(url, init);
    };
    return {
      sent,
      session: createClient({ url: api.url, token, sleep: () => Promise.resolve(), ...more, fetch: observed }),
    };
  }
  /** A function that gives one after the other, and then the last again; how often it was asked. */
  function oneByOne(...tokens: readonly string[]) {
    let asked = 0;
    return { token: () => tokens[Math.min(asked++, tokens.length - 1)]!, asked: () => asked };
  }
  const bearer = (...tokens: readonly string[]) => tokens.map((token) => `Bearer ${token}`);

  const exported: Call = ({ exports }) => exports.workspace({ workspaceId, sink: () => undefined });
  const imported: Call = ({ imports }) => imports.workspace({ records: eachOf(records) });
  const copied: Call = async ({ changes }) => {
    for await (const item of changes.snapshot({ workspaceId })) expect(item).to.be.an('object');
  };
  const watched: Call = async ({ changes }) => {
    const stop = new AbortController();
    const onCursor = () => stop.abort();
    for await (const event of changes.watch({ workspaceId, signal: stop.signal }, { onCursor }))
      expect.fail(event.type);
  };
  const calls: readonly (readonly [string, Call])[] = [
    ['a read', ({ me }) => me.get()],
    ['a write with a key', ({ workspaces }) => workspaces.create({ name: 'Next' })],
    ['a write without a key', ({ me }) => me.update({ phone: '1' })],
    ['a secret that is shown once', ({ tokens }) => tokens.create({ name: 'x' })],
    [
      'a change of a version',
      ({ me }) => me.get().then(({ version }) => me.update({ phone: '2' }, { ifVersion: [version] })),
    ],
    ['an export', exported],
    ['a snapshot', copied],
    ['a watch', watched],
  ];

  for (const [name, call] of calls) {
    it(`goes on when tokens expire: ${name}`, async () => {
      const { session, sent } = clientOf(fresh);
      for (let times = 0; times < 2; times += 1) {
        await call(session);
        now += 61_000;
      }
      expect(new Set(sent)).to.have.property('size', sent.length);
    });

    it(`repeats once, with another token, what the service refuses: ${name}`, async () => {
      const [stale, next] = [await expired(), await fresh()];
      const { token } = oneByOne(stale, next);
      const { session, sent } = clientOf(token, { retries: 0 });
      await call(session);
      expect(sent.slice(0, 2)).to.deep.equal(bearer(stale, next));
    });

    it(`repeats nothing if the function gives the same token again: ${name}`, async () => {
      const stale = await expired();
      const { token, asked } = oneByOne(stale);
      const { session, sent } = clientOf(token);
      expect(await outcome(call(session))).to.equal('unauthenticated');
      expect([sent, asked()]).to.deep.equal([bearer(stale), 2]);
    });

    it(`repeats once only: ${name}`, async () => {
      const stale = [await expired(), await expired(), await expired()];
      const { session, sent } = clientOf(oneByOne(...stale).token);
      expect(await outcome(call(session))).to.equal('unauthenticated');
      expect(sent).to.deep.equal(bearer(...stale.slice(0, 2)));
    });
  }

  it('repeats no import that has begun to be sent', async () => {
    const { session, sent } = clientOf(oneByOne(await expired(), await fresh()).token);
    expect(await outcome(imported(session))).to.equal('unauthenticated');
    expect(sent).to.have.length(1);
    let times = 0;
    const refusedOnce: ClientOptions['fetch'] = (url, init) =>
      (times += 1) === 1
        ? Promise.resolve(Response.json({ code: 'unauthenticated' }, { status: 401 }))
        : fetch(url, init);
    const unread = clientOf(fresh, { fetch: refusedOnce });
    expect(await outcome(imported(unread.session))).to.equal('workspace-exists');
    expect(unread.sent).to.have.length(2);
  });

  it('repeats what a proxy refuses only where a repetition has no second effect', async () => {
    const proxy = () => Promise.resolve(new Response('<html>', { status: 401 }));
    const requests = async (call: Call) => {
      const { session, sent } = clientOf(fresh, { fetch: proxy });
      expect(await outcome(call(session))).to.equal('store-unavailable');
      return sent.length;
    };
    expect(await requests(({ workspaces }) => workspaces.create({ name: 'x' }))).to.equal(2);
    expect(await requests(({ tokens }) => tokens.create({ name: 'x' }))).to.equal(1);
  });

  it('asks for each retry', async () => {
    const busy = () => Promise.resolve(Response.json({ code: 'store-busy' }, { status: 503 }));
    const { token, asked } = oneByOne(...(await Promise.all([fresh(), fresh(), fresh()])));
    const { session, sent } = clientOf(token, { fetch: busy, retries: 2 });
    expect(await outcome(session.me.get())).to.equal('store-busy');
    expect([new Set(sent).size, asked()]).to.deep.equal([3, 3]);
  });

  it('fails with the error of the function, sends nothing, and asks no more', async () => {
    const own = new Error('no network');
    const coded = new EspalierError('store-busy', 'Later.');
    for (const [, call] of [...calls, ['an import', imported] as const]) {
      let asked = 0;
      const failing = (give: () => string | Promise<string>) => {
        asked = 0;
        return clientOf(() => {
          asked += 1;
          return give();
        });
      };
      const thrown = failing(() => {
        throw own;
      });
      await rejects(call(thrown.session), { code: 'unauthenticated', cause: own });
      expect([asked, thrown.sent]).to.deep.equal([1, []]);
      const rejected = failing(() => Promise.reject(own));
      await rejects(call(rejected.session), { code: 'unauthenticated', cause: own });
      expect([asked, rejected.sent]).to.deep.equal([1, []]);
      const refused = failing(() => Promise.reject(coded));
      expect(await failure(call(refused.session))).to.equal(coded);
      expect([asked, refused.sent]).to.deep.equal([1, []]);
    }
  });

  it('fails where it is given no token', async () => {
    for (const none of [undefined, null, 5, {}, '', ' \n']) {
      for (const [, call] of [...calls, ['an import', imported] as const]) {
        const { session, sent } = clientOf(() => Promise.resolve(none as string));
        const { code, errors } = await failure(call(session));
        expect([code, errors.map(({ pointer }) => pointer)]).to.deep.equal(['invalid-input', ['/token']]);
        expect(sent).to.deep.equal([]);
      }
    }
  });

  it('is refused at once if its fixed token is empty', () => {
    for (const token of ['', ' \n']) {
      throws(
        () => createClient({ url: api.url, token }),
        ({ code, errors }: EspalierError) => code === 'invalid-input' && errors[0]?.pointer === '/token',
      );
    }
  });

  it('takes a token with a line break as one that is fixed is taken', async () => {
    const token = await fresh();
    expect(await outcome(clientOf(() => `${token}\n`).session.me.get())).to.equal('ok');
    const broken = clientOf(() => `${token}\r\nx-request-id: 1`);
    expect(await outcome(broken.session.me.get())).to.equal('unauthenticated');
    expect(broken.sent).to.deep.equal(bearer(`${token}??x-request-id: 1`));
  });

  it('waits for the function no longer than for the service', async () => {
    for (const [, call] of [...calls, ['an import', imported] as const]) {
      let asked = 0;
      const never = () => {
        asked += 1;
        return new Promise<string>(() => undefined);
      };
      const { session, sent } = clientOf(never, { timeout: 5 });
      expect(await outcome(call(session))).to.equal('store-unavailable');
      expect([asked, sent]).to.deep.equal([1, []]);
    }
  });

  it('ends the wait for the function when its caller ends the call', async () => {
    const reason = new Error('enough');
    const ended = (call: (session: Session, signal: AbortSignal) => Promise<unknown>) => {
      const stop = new AbortController();
      const never = () => {
        queueMicrotask(() => stop.abort(reason));
        return new Promise<string>(() => undefined);
      };
      return { call: call(clientOf(never).session, stop.signal), signal: stop.signal };
    };
    const reads = [
      ended(({ me }, signal) => me.get(undefined, { signal })),
      ended(({ exports }, signal) => exports.workspace({ workspaceId, sink: () => undefined }, { signal })),
      ended(({ changes }, signal) => changes.snapshot({ workspaceId }, { signal }).next()),
    ];
    for (const { call, signal } of reads) {
      expect(await call.catch((error: unknown) => error)).to.equal(reason);
      expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    }
    const watch = ended(({ changes }, signal) => changes.watch({ workspaceId, signal }).next());
    expect(await watch.call).to.have.property('done', true);
  });

  it('tells the function when its token is no longer waited for', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const asked = async (timeout: number, onAsked: () => void) => {
      const signals: AbortSignal[] = [];
      const token: TokenFunction = ({ signal }) => {
        if (!signal.aborted) signals.push(signal);
        queueMicrotask(onAsked);
        return new Promise<string>(() => undefined);
      };
      const { me } = createClient({ url: api.url, token, timeout });
      await me.get(undefined, { signal: stop.signal }).catch(() => undefined);
      return signals.map(({ reason: why }): unknown => why);
    };
    const [late, ...others] = await asked(5, () => undefined);
    expect(late).to.be.instanceOf(Stalled);
    expect(others).to.deep.equal([]);
    expect(await asked(30_000, () => stop.abort(reason))).to.deep.equal([reason]);
  });

  it('does not call the function for a call that its caller has ended already', async () => {
    const reason = new Error('enough');
    let asked = 0;
    const { session, sent } = clientOf(() => {
      asked += 1;
      return fresh();
    });
    const got = session.me.get(undefined, { signal: AbortSignal.abort(reason) });
    expect(await got.catch((error: unknown) => error)).to.equal(reason);
    expect([asked, sent]).to.deep.equal([0, []]);
  });

  it('says that it is not known whether a write was saved, if there is no token to send it again', async () => {
    let isFirst = true;
    const token = () => {
      if (!isFirst) throw new Error('no network');
      isFirst = false;
      return fresh();
    };
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const { code, detail } = await failure(clientOf(token, { fetch: lost }).session.workspaces.create({ name: 'x' }));
    expect(code).to.equal('unauthenticated');
    expect(detail).to.match(/not known/);
  });
});
