import { AsyncLocalStorage } from 'node:async_hooks';
import { assert, expect } from 'chai';
import { rejects, throws } from '../../fixtures/errors.ts';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createBackground } from '../../../adapters/service/background.ts';
import { createEspalier, openStore } from '../../../adapters/service/index.ts';
import { composeService } from '../../../adapters/service/compose-service.ts';
import { compose } from '../../../adapters/service/espalier.ts';
import { IDENTIFIERS } from '../../../adapters/service/identifiers.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { JobRunner, type Identity, type Store } from '../../../core/index.ts';
import type { Timers } from '../../../core/ports/timers.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { newWorld } from '../../fixtures/world/world.ts';

const folder = temporaryFolder();
const STORES: readonly { readonly url: string; open(): Promise<Store> }[] = [
  { url: 'memory:', open: () => openStore('memory:') },
  { url: 'file:', open: () => openStore(`file:${join(folder, 'composed.db')}`) },
];

for (const { url, ...at } of STORES) {
  describe(`composition on ${url}`, () => {
    it('resolves everything the container offers', async () => {
      const store = await at.open();
      const container = compose({ store });
      const { metrics: _, openedStore: __, listener: ___, ...parts } = IDENTIFIERS;
      for (const [name, token] of Object.entries(parts)) assert(container.get<unknown>(token), name);
      await store.close();
    });

    it('runs the first lines of a library user', async () => {
      const espalier = createEspalier({ store: await at.open() });
      const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
      const workspace = await ada.workspaces.create({ name: 'Acme' });
      expect(workspace.alias).to.equal('acme');
      expect((await ada.workspaces.list()).map(({ id }) => id)).to.deep.equal([workspace.id]);
      await espalier.close();
      await espalier.close();
    });
  });
}

describe('the container', () => {
  it('gives parts of the host to the engine', async () => {
    const espalier = createEspalier({ store: await openStore('memory:'), clock: { now: () => 0 } });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    expect(user.createdAt).to.equal('1970-01-01T00:00:00.000Z');
    await espalier.close();
  });

  it('refuses a time for the trash that is out of bounds', () => {
    const store = memoryStore();
    const tenYears = 3_650 * 86_400_000;
    for (const keepTrash of [-1, 0.5, Number.NaN, tenYears + 1]) {
      throws(() => createEspalier({ store, keepTrash }), { code: 'invalid-input' }, String(keepTrash));
    }
    for (const keepTrash of [0, tenYears]) expect(createEspalier({ store, keepTrash }).store).to.equal(store);
  });

  it('signs in by an identity of the host beside API tokens', async () => {
    const caller = {
      kind: 'external',
      issuer: 'i',
      subject: 's',
      name: 'Bob',
      verifiedEmail: null,
      links: false,
    } as const;
    const identity: Identity = {
      authenticate: async (authorization) => (authorization === 'Bearer bob' ? caller : null),
    };
    const espalier = createEspalier({ store: await openStore('memory:'), identity });
    const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: ada.id, name: 'laptop' });
    const who = async (bearer: string) => {
      const found = await espalier.identity.authenticate(`Bearer ${bearer}`);
      return found === null ? null : (await espalier.engine.me.get({ caller: found })).name;
    };
    expect([await who('bob'), await who(token), await who('eve')]).to.deep.equal(['Bob', 'Ada', null]);
    await espalier.close();
  });

  it('validates what a library user passes, and leaves it as it is', async () => {
    const espalier = createEspalier({ store: await openStore('memory:') });
    const input = { name: ' ', email: 'nonsense' };
    await rejects(espalier.users.create(input), (error: { code?: string; errors?: readonly unknown[] }) => {
      return error.code === 'invalid-input' && error.errors?.length === 2;
    });
    const padded = { name: ' Ada ', email: 'ada@example.org' };
    expect((await espalier.users.create(padded)).name).to.equal('Ada');
    expect(padded.name).to.equal(' Ada ');
    await espalier.close();
  });

  it('takes up what a crash has left to be removed', async () => {
    const store = await openStore('memory:');
    const world = newWorld(store);
    const ada = await world.user('Ada');
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    await ada.tasks.create({ workspaceId, boardId: board.id, title: 'Gone soon' });
    await ada.boards.delete({ workspaceId, boardId: board.id });
    const espalier = createEspalier({ store });
    await espalier.idle();
    expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 1 }))).to.deep.equal([]);
    expect(await store.read((tx) => tx.boards.get(workspaceId, board.id))).to.equal(null);
    expect(await new JobRunner(world.ports).step()).to.equal(null);
    await espalier.close();
  });

  it('has nothing left to do after `idle`, also of a copy that outlasted its call', async () => {
    const store = await openStore('memory:');
    const timers: Timers = {
      after: (_, run) => {
        queueMicrotask(run);
        return () => undefined;
      },
    };
    const espalier = createEspalier({ store, timers });
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const tasks = Array.from({ length: 500 }, (_, n) => ({ boardId, title: `t${n}` }));
    await ada.tasks.createMany({ workspaceId, tasks });
    const { id, board } = await ada.boards.copy({ workspaceId, boardId, tasks: true });
    expect(board).to.equal(null);
    await espalier.idle();
    expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 1 }))).to.deep.equal([]);
    expect((await ada.tasks.list({ workspaceId, boardId: [id], limit: 1, count: true })).total).to.equal(500);
    await espalier.close();
  });

  it('refuses a store URL that it does not know', async () => {
    for (const url of [
      'mongodb://',
      'mongodb://host/?nope=1',
      'mongodb://user:%ZZ@host/x',
      'mongodb://host:99999/x',
      'mongodb://host/a.b',
      'mongodb://host/%ZZ',
      '',
      'memory',
      'redis://127.0.0.1',
      'file:',
    ]) {
      await rejects(openStore(url), (error: { code?: string }) => error.code === 'invalid-input', url);
    }
  });
});

describe('a composed service', () => {
  const settings = { host: '127.0.0.1', port: 0, http: {} };

  it('serves what its engine holds, and ends in order: the service, background work, the store', async () => {
    const url = `file:${join(folder, 'service.db')}`;
    const { espalier, listen } = await composeService({ ...settings, store: url });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId, name: 'laptop' });
    const service = await listen();
    const me = await fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect([me.status, ((await me.json()) as { id: string }).id]).to.deep.equal([200, userId]);
    await Promise.all([espalier.close(), espalier.close()]);
    await rejects(fetch(service.url), () => true);
    await rejects(espalier.store.ready(), (error: { code?: string }) => error.code === 'store-unavailable');
    const again = await composeService({ ...settings, store: url });
    expect((await again.espalier.operator.users.list()).items.map(({ id }) => id)).to.deep.equal([userId]);
    await again.espalier.close();
  });

  it('says that its port is taken, and can listen at another', async () => {
    const first = await composeService({ ...settings, store: 'memory:' });
    const port = Number(new URL((await first.listen()).url).port);
    const second = await composeService({ ...settings, store: 'memory:' });
    await rejects(second.listen(port), (error: { code?: string }) => error.code === 'EADDRINUSE');
    expect((await second.listen(0)).url).not.to.equal('');
    await second.espalier.close();
    await first.espalier.close();
  });
});

describe('background work', () => {
  it('calls the step until nothing is left for now, also when woken meanwhile, and again after it failed', async () => {
    let left = 3;
    const background = createBackground(async () => ((left -= 1) > 0 ? 0 : null));
    background.wake();
    background.wake();
    await background.idle();
    expect(left).to.equal(0);
    left = 2;
    background.wake();
    await background.idle();
    expect(left).to.equal(0);
    await background.stop();
  });

  it('tries a step again that failed, and again one that told to wait', async () => {
    const outcomes = [() => Promise.reject(new Error('broken')), async () => 1, async () => null];
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (done = resolve));
    const background = createBackground(async () => {
      const next = outcomes.shift();
      if (outcomes.length === 0) done();
      return next === undefined ? null : next();
    });
    background.wake();
    // The timers of waiting do not keep a process alive.
    const alive = setInterval(() => undefined, 1_000);
    await finished;
    clearInterval(alive);
    await background.stop();
  });

  it('works again when it is woken while it comes to an end', async () => {
    for (let later = 1; later <= 16; later += 1) {
      let steps = 0;
      const wakeLater = async () => {
        for (let turn = 0; turn < later; turn += 1) await Promise.resolve();
        background.wake();
      };
      const woken: Promise<void>[] = [];
      const background = createBackground(async () => {
        steps += 1;
        if (steps === 1) woken.push(wakeLater());
        return null;
      });
      background.wake();
      await setImmediate();
      await Promise.all(woken);
      await background.idle();
      expect(steps, `${later} turns behind the first step`).to.be.at.least(2);
      await background.stop();
    }
  });

  it('runs in the asynchronous context that it was made in, and in none of whoever wakes it', async () => {
    const contexts = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    let waits: number | null = 1;
    let again: () => void = () => undefined;
    const ranAgain = new Promise<void>((resolve) => (again = resolve));
    const background = contexts.run('made', () =>
      createBackground(async () => {
        seen.push(contexts.getStore());
        if (waits === null) again();
        const wait = waits;
        waits = null;
        return wait;
      }),
    );
    contexts.run('woken', () => background.wake());
    const alive = setInterval(() => undefined, 1_000);
    await ranAgain;
    clearInterval(alive);
    await background.stop();
    expect(seen).to.deep.equal(['made', 'made']);
  });

  it('starts nothing after it was stopped', async () => {
    let called = false;
    const background = createBackground(async () => {
      called = true;
      return null;
    });
    await background.stop();
    background.wake();
    await background.idle();
    expect(called).to.equal(false);
  });
});
