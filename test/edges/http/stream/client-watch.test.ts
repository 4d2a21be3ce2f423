import { expect } from 'chai';
import { createClient, type ClientOptions } from '../../../../adapters/client/index.ts';
import { startService, type Service, type ServiceOptions } from '../../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ChangeEvent, Session } from '../../../../core/index.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { beginWatch, idOf } from './begin-watch.ts';

describe('watching through the client', () => {
  let espalier: Espalier;
  let service: Service;
  let ada: Session;
  let userId: string;
  let workspaceId: string;
  let token: { readonly id: string; readonly token: string };

  const listen = async (options: Partial<ServiceOptions> = {}) => {
    const { engine, identity, store } = espalier;
    service = await startService({ engine, identity, ready: () => store.ready(), port: 0, ...options });
  };

  beforeEach(async () => {
    espalier = createEspalier({ store: memoryStore() });
    ({ id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    ada = espalier.as(userId);
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme' }));
    token = await ada.tokens.create({ name: 'watch' });
    await listen();
  });
  afterEach(async () => {
    await service.close();
    await espalier.close();
  });

  const clientOf = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: service.url, token: token.token, ...more });
  const folder = (name: string) => ada.pages.create({ workspaceId, name, type: 'folder' });

  const watching = (client: Session) => beginWatch(client, workspaceId);

  it('goes on behind the last cursor when the service has gone and come back', async () => {
    const pauses: number[] = [];
    const sleep = (ms: number) => {
      pauses.push(ms);
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    const { events, first, stop } = await watching(clientOf({ sleep }));
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    const second = events.next();
    const port = Number(new URL(service.url).port);
    await service.close();
    const two = await folder('Two');
    await listen({ port });
    expect(await idOf(second)).to.equal(two.id);
    expect(pauses.length).to.be.greaterThan(0);
    const rest = events.next();
    stop.abort();
    expect((await rest).done).to.equal(true);
  });

  it('connects again when its stream ends after an hour, and misses nothing', async () => {
    const timers = new ManualTimers();
    await service.close();
    await listen({ timers });
    const missed: string[] = [];
    const sleep = async () => void missed.push((await folder('Missed')).id);
    const { events, first, stop } = await watching(clientOf({ sleep }));
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    const second = events.next();
    for (let seconds = 0; seconds < 3_600 && missed.length === 0; seconds += 1) {
      await timers.isSet(1_000);
      timers.pass(1_000);
    }
    expect([await idOf(second)]).to.deep.equal(missed);
    const third = events.next();
    const three = await folder('Three');
    expect(await idOf(third)).to.equal(three.id);
    stop.abort();
  });

  it('asks with wait where streams are held back on the way', async () => {
    const asked: string[] = [];
    const held: NonNullable<ClientOptions['fetch']> = (url, init) => {
      const isStream = new Headers(init.headers).get('accept') === 'text/event-stream';
      asked.push(isStream ? 'stream' : url.includes('wait=') ? 'wait' : 'other');
      if (!isStream) return fetch(url, init);
      return new Promise((_, reject) => {
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error));
      });
    };
    const { events, first, cursors, stop } = await watching(clientOf({ fetch: held, timeout: 500 }));
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    const waiting = events.next();
    const two = await folder('Two');
    expect(await idOf(waiting)).to.equal(two.id);
    expect(cursors.length).to.be.at.least(2);
    expect(asked.filter((each) => each === 'stream')).to.have.length(1);
    expect(asked).to.include('wait');
    const rest = events.next();
    stop.abort();
    expect((await rest).done).to.equal(true);
  });

  it('throws what ends it for good, and connects no more', async () => {
    const { first } = await watching(clientOf());
    await ada.tokens.revoke({ tokenId: token.id });
    expect(await outcome(first)).to.equal('unauthenticated');
    token = await ada.tokens.create({ name: 'again' });
    const gone = await watching(clientOf());
    await ada.workspaces.delete({ workspaceId });
    expect(await outcome(gone.first)).to.equal('not-found');
  });

  it('throws where it cannot begin', async () => {
    await service.close();
    const sleep = () => Promise.resolve();
    expect(await outcome(clientOf({ sleep }).changes.watch({ workspaceId }).next())).to.equal('store-unavailable');
  });

  it('comes again when a stream breaks off in the middle of an event', async () => {
    let times = 0;
    const broken: NonNullable<ClientOptions['fetch']> = async (url, init) => {
      const response = await fetch(url, init);
      if ((times += 1) > 1 || response.body === null) return response;
      const reader = response.body.getReader();
      let isFirst = true;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await reader.read();
          controller.enqueue(isFirst ? value! : value!.subarray(0, value!.length - 5));
          if (!isFirst) controller.close();
          isFirst = false;
        },
        cancel: () => reader.cancel(),
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
    const { first, events } = await watching(clientOf({ fetch: broken, sleep: () => Promise.resolve() }));
    const one = await folder('One');
    expect(await idOf(first)).to.equal(one.id);
    expect(times).to.equal(2);
    await events.return!();
  });

  it('ends at once when its signal is aborted during the pause before a retry', async () => {
    const busy = () => Promise.resolve(Response.json({ code: 'store-busy' }, { status: 503 }));
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    for (const fail of [busy, lost]) {
      const stopped = () => {
        const stop = new AbortController();
        const fetchUntil: ClientOptions['fetch'] = (_, { signal }) => {
          signal?.throwIfAborted();
          return fail();
        };
        const sleep = () => {
          stop.abort();
          return new Promise<void>(() => undefined);
        };
        return { client: clientOf({ fetch: fetchUntil, sleep }), signal: stop.signal };
      };
      const watched = stopped();
      const { done } = await watched.client.changes.watch({ workspaceId, signal: watched.signal }).next();
      expect(done).to.equal(true);
      const { client, signal } = stopped();
      const refused = await client.changes
        .list({ workspaceId, since: 'x' }, { signal })
        .catch((error: unknown) => error);
      expect(refused).to.equal(signal.reason);
    }
  });

  it('asks for events one by one where one has too much for a stream', async () => {
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
    await ada.statuses.create({ workspaceId, boardId, name: 'To do' });
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Task' });
    const content = 'x'.repeat(20_000);
    for (let n = 0; n < 60; n += 1) await ada.comments.create({ workspaceId, taskId, content });
    let since = '';
    await ada.workspaces.get({ workspaceId }, { onCursor: (now) => void (since = now) });
    await ada.tasks.update({ workspaceId, taskId, title: 'Renamed' });
    const client = clientOf({ sleep: () => Promise.resolve() });
    const events = client.changes.watch({ workspaceId, since, include: ['record'] });
    const first = (await events.next()).value as ChangeEvent;
    expect(first).to.have.nested.property('record.title', 'Renamed');
    const second = events.next();
    const one = await folder('One');
    expect(await idOf(second)).to.equal(one.id);
    await events.return!();
  });
});
