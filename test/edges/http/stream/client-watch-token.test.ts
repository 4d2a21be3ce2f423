import { expect } from 'chai';
import { createClient, type ClientOptions } from '../../../../adapters/client/index.ts';
import { jwtIdentity } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Session } from '../../../../core/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { AUDIENCE, localIssuer, type LocalIssuer } from '../../identity/issuer.ts';
import { newApi, type Api } from '../support.ts';
import { beginWatch, idOf } from './begin-watch.ts';

describe('watching through a client with a function for its token', () => {
  let issuer: LocalIssuer;
  let timers: ManualTimers;
  let now: number;
  let api: Api;
  let ada: Session;
  let workspaceId: string;
  let token: { readonly id: string; readonly token: string };

  beforeEach(async () => {
    [issuer, timers, now] = [await localIssuer(), new ManualTimers(), Date.now()];
    const clock = { now: () => now };
    const keys = { url: issuer.jwksUrl };
    const trusted = { issuer: issuer.url, audience: AUDIENCE, keys, clock, clockTolerance: 0, linkVerifiedEmail: true };
    const identity = jwtIdentity(trusted);
    api = await newApi('through a socket', {
      espalier: createEspalier({ store: memoryStore(), identity, clock, timers }),
    });
    ada = api.espalier.as((await api.user('Ada')).id);
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme' }));
    token = await ada.tokens.create({ name: 'watch' });
  });
  afterEach(() => Promise.all([api.close(), issuer.close()]));

  const clientOf = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: api.url, token: () => token.token, sleep: () => Promise.resolve(), ...more });
  const folder = (name: string) => ada.pages.create({ workspaceId, name, type: 'folder' });
  /** Revokes the token. From then on the function gives another one. */
  async function renew(): Promise<void> {
    const { id } = token;
    token = await ada.tokens.create({ name: 'next' });
    await ada.tokens.revoke({ tokenId: id });
  }
  /** A JSON Web Token of Ada that is valid for a minute. */
  const signed = () => {
    const iat = Math.floor(now / 1_000);
    return issuer.sign({ iat, exp: iat + 60, email: 'ada@example.org', email_verified: true });
  };
  function expire(): void {
    now += 61_000;
    timers.pass(61_000);
  }
  /** A pause in which a folder is created. */
  function missing() {
    const missed: string[] = [];
    const sleep = async () => void missed.push((await folder('Missed')).id);
    return { missed, sleep };
  }

  it('goes on behind the last cursor when its token is revoked, and misses nothing', async () => {
    const { missed, sleep } = missing();
    const { events, first, stop } = await beginWatch(clientOf({ sleep }), workspaceId);
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    const second = events.next();
    await renew();
    expect([await idOf(second)]).to.deep.equal(missed);
    const third = events.next();
    const three = await folder('Three');
    expect(await idOf(third)).to.equal(three.id);
    stop.abort();
  });

  it('goes on each time that a JSON Web Token expires, and misses nothing', async () => {
    const { missed, sleep } = missing();
    const { events, first, stop } = await beginWatch(clientOf({ token: signed, sleep }), workspaceId);
    expire();
    const seen = [await idOf(first)];
    for (let times = 0; times < 2; times += 1) {
      const next = events.next();
      expire();
      seen.push(await idOf(next));
    }
    expect(missed).to.have.length(3);
    expect(seen).to.deep.equal(missed);
    stop.abort();
  });

  it('goes on when its issuer has been away', async () => {
    let pauses = 0;
    const sleep = async () => {
      pauses += 1;
      // The service asks an issuer that failed again after a while.
      now += 60_000;
      if (pauses > 6) issuer.answer(null);
    };
    const { first, stop } = await beginWatch(clientOf({ token: signed, sleep }), workspaceId);
    await issuer.rotate();
    issuer.answer({ status: 500, body: '' });
    expire();
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    stop.abort();
  });

  it('throws when the function gives the same token again', async () => {
    const { first } = await beginWatch(clientOf(), workspaceId);
    await ada.tokens.revoke({ tokenId: token.id });
    expect(await outcome(first)).to.equal('unauthenticated');
  });

  it('goes on where streams are held back on the way', async () => {
    const held: NonNullable<ClientOptions['fetch']> = (url, init) =>
      new Headers(init.headers).get('accept') !== 'text/event-stream'
        ? fetch(url, init)
        : new Promise((_, reject) => {
            init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error));
          });
    const { first, stop } = await beginWatch(clientOf({ fetch: held, timeout: 500 }), workspaceId);
    await renew();
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    stop.abort();
  });

  it('does not take the time of the function for that of a stream which is held back', async () => {
    let requests = 0;
    const refusing = () => {
      requests += 1;
      return Promise.resolve(Response.json({ code: 'unauthenticated' }, { status: 401 }));
    };
    let asked = 0;
    const given = () => ((asked += 1) === 1 ? 'unknown' : new Promise<string>(() => undefined));
    const client = clientOf({ token: given, timeout: 50, fetch: refusing });
    expect(await outcome(client.changes.watch({ workspaceId }).next())).to.equal('store-unavailable');
    expect([requests, asked]).to.deep.equal([1, 2]);
  });

  it('ends with the error of the function, and goes on where that says that it is temporary', async () => {
    const own = new Error('no network');
    const later = new EspalierError('store-unavailable', 'No network.');
    const failing = async (...failures: readonly Error[]) => {
      const left: Error[] = [];
      const given = () => {
        const next = left.shift();
        if (next !== undefined) throw next;
        return token.token;
      };
      const watch = await beginWatch(clientOf({ token: given }), workspaceId);
      left.push(...failures);
      await renew();
      return watch;
    };
    const ending = await failing(own);
    expect(await ending.first.catch((error: unknown) => error)).to.include({ code: 'unauthenticated', cause: own });
    const { first, stop } = await failing(later, later);
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    stop.abort();
  });
});
