import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { parseExposition } from '../../http/service/exposition.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { ended, start } from '../child.ts';
import type { Request } from './serve-process.ts';
import { STORE, askAll, pidsOf, statusesOf, servingWorkers } from './serving-workers.ts';

describe('espalier serve --workers', function () {
  // Each test starts several processes, on a machine that may be busy.
  this.timeout(120_000);
  const at = servingWorkers();
  const { serving, end, stop } = at;

  it('serves in several processes at one address, which is told once', async () => {
    const service = serving(...STORE, '--load', BOARD_FILE);
    const { administrator } = await service.started;
    expect(administrator!.token).to.match(/^esp_/);
    // It is told when all of them listen.
    const answers = await askAll(service, { path: '/readyz', token: '' });
    expect(new Set(statusesOf(answers))).to.deep.equal(new Set(['200']));
    const listening = await service.workers(2);
    expect(pidsOf(answers)).to.deep.equal(new Set(listening));
    expect(listening).not.to.include(service.child.pid);
    expect((await askAll(service, { path: '/healthz', token: '' }))[0]!.status).to.equal(200);
    // What is done at the start is done once.
    const list = async (path: string) => JSON.parse((await service.ask({ path })).text) as object[];
    expect(await list('/api/user')).to.have.length(1);
    expect(await list('/api/workspace')).to.have.length(1);
    const stdout = await stop(service);
    expect(stdout.match(/"url"/g)).to.have.length(1);
  });

  it('stores what it is started with once, and not again by a worker that comes later', async () => {
    const service = serving(...STORE, '--keep-changes', '7d,500');
    await service.started;
    const listening = await service.workers(2);
    const later = createEspalier({
      store: embeddedStore({ path: join(at.here.path, 'service.db') }),
      keepChanges: { milliseconds: 1_000, count: 1_000_000 },
    });
    await later.idle();
    process.kill(listening[0]!, 'SIGTERM');
    await service.workers(1, listening);
    await end(service);
    const settings = await later.store.read((tx) => tx.settings.get());
    expect(settings?.keepChanges).to.deep.equal({ milliseconds: 1_000, count: 1_000_000 });
    await later.close();
  });

  it('takes one process and its log as they are when there is one', async () => {
    const child = start(at.here, 'serve', '--store', 'memory:', '--port', '0', '--workers', '1');
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const { code, stderr } = await ended(child);
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('shows in each at once what another has written, and lets no revoked token in anywhere', async () => {
    const service = serving(...STORE);
    await askAll(service, { path: '/api/me' });
    const made = await service.ask({ method: 'POST', path: '/api/me/token', body: { name: 'second' } });
    const { id, token } = JSON.parse(made.text) as { id: string; token: string };
    for (let round = 0; round < 5; round += 1) {
      const body = { name: `Ada ${round}` };
      const written = await service.ask({ method: 'PUT', path: '/api/me', body });
      const seen = await askAll(service, { path: '/api/me', token });
      expect(seen.map(({ text }) => (JSON.parse(text) as { name: string }).name)).to.deep.equal(
        seen.map(() => body.name),
      );
      expect(pidsOf(seen).has(written.pid)).to.equal(true);
    }
    expect((await service.ask({ method: 'DELETE', path: `/api/me/token/${id}` })).status).to.equal(204);
    const refused = await askAll(service, { path: '/api/me', token });
    expect(refused.map(({ status }) => status)).to.deep.equal(refused.map(() => 401));
    await stop(service);
  });

  const samplesOf = (text: string) => parseExposition(text).flatMap((family) => family.samples);

  /** How often they have answered `/api/me`, as `/metrics` has it. */
  const countIn = (text: string) =>
    samplesOf(text)
      .filter(
        ({ name, labels }) =>
          name === 'espalier_http_request_duration_seconds_count' && labels['operation'] === 'me.get',
      )
      .map(({ value }) => value);

  it('counts for /metrics what all of them do, whichever is asked', async () => {
    const service = serving(...STORE);
    const seen = await askAll(service, { path: '/api/me' });
    for (const { text } of await askAll(service, { path: '/metrics' })) {
      const samples = samplesOf(text);
      expect(countIn(text)).to.deep.equal([seen.length]);
      const utilization = samples.find(({ name }) => name === 'espalier_event_loop_utilization')!;
      expect(utilization.value).to.be.within(0, 1);
    }
    await stop(service);
  });

  it('counts for /metrics what one of them has done that does not answer now', async () => {
    const service = serving(...STORE);
    const seen = await askAll(service, { path: '/api/me' });
    const [one, other] = await service.connections(2);
    await service.ask({ path: '/metrics', agent: other! });
    const { pid: victim } = await service.ask({ path: '/healthz', token: '', agent: one! });
    process.kill(victim, 'SIGSTOP');
    const { text } = await service.ask({ path: '/metrics', agent: other! });
    process.kill(victim, 'SIGCONT');
    expect(countIn(text)).to.deep.equal([seen.length]);
    await stop(service);
  });

  it('limits the service, not each process', async () => {
    const limits = ['--requests-per-minute', '4', '--unknown-invitations-per-minute', '2'];
    const service = serving(...STORE, ...limits, '--failures-per-minute', '3');
    await askAll(service, { path: '/healthz', token: '' });
    const ask = (times: number, given: Request) => Promise.all(Array.from({ length: times }, () => service.ask(given)));
    const agents = await service.connections(2);
    const counted = await Promise.all(
      Array.from({ length: 8 }, (_, i) => service.ask({ path: '/api/me', agent: agents[i % 2]! })),
    );
    expect(pidsOf(counted).size).to.equal(2);
    const left = counted.map(({ status, headers }) => `${status} ${headers['ratelimit-remaining'] as string}`);
    expect(left.toSorted()).to.deep.equal(['200 0', '200 1', '200 2', '200 3', ...Array(4).fill('429 0')]);
    for (const { headers } of counted) {
      expect(headers['ratelimit-limit']).to.equal('4');
      expect(Number(headers['ratelimit-reset'])).to.be.within(1, 60);
    }
    const fresh = async () => {
      const env = { ESPALIER_STORE: 'file:service.db' };
      const email = `${randomUUID()}@example.org`;
      await at.here.ok(['user', 'create', '--name', 'Ada', '--email', email], { env });
      const made = await at.here.ok(['token', 'create', '--name', 'x', '--user', email, '--json'], { env });
      return made.json<{ token: string }>().token;
    };
    const path = '/api/workspace/invitation/01a1feac-a7b0-75c7-aaaf-dbd343b95afd';
    // One by one: each counts for a token and an address, and of several at once fewer may be told.
    const token = await fresh();
    const [one, other] = await service.connections(2);
    const guess = (agent: Agent) => service.ask({ path, token, agent });
    const guesses = [await guess(one!), await guess(other!), await guess(one!), await guess(other!)];
    expect(guesses.map(({ status }) => status)).to.deep.equal([404, 404, 429, 429]);
    expect(pidsOf(guesses).size).to.equal(2);
    const failures = await ask(6, { path: '/api/me', token: 'esp_wrong' });
    expect(statusesOf(failures)).to.deep.equal(['401', '401', '401', '429', '429', '429']);
    const turnedAway = await askAll(service, { path: '/api/me', token: await fresh() });
    expect(new Set(statusesOf(turnedAway))).to.deep.equal(new Set(['429']));
    await stop(service);
  });

  it('keeps its settings, whatever a profile says meanwhile', async () => {
    await at.here.ok(['config', 'set', 'store', 'file:service.db']);
    await at.here.ok(['config', 'set', 'noBoard', 'true']);
    const service = serving('--port', '0', '--board');
    const first = await service.workers(2);
    await service.started;
    await at.here.ok(['config', 'set', 'store', 'file:other.db']);
    await at.here.ok(['config', 'set', 'requestsPerMinute', '1']);
    process.kill(first[0]!, 'SIGKILL');
    await service.workers(1, first);
    for (const path of ['/api/me', '/board']) {
      const answers = await askAll(service, { path });
      expect(statusesOf(answers), path).to.deep.equal(answers.map(() => '200'));
    }
    await end(service);
  });

  it('has one secret of the issuer in all processes, also in one that starts after its file was replaced', async () => {
    const file = join(at.here.path, 'secret.txt');
    const secret = 's'.repeat(32);
    await writeFile(file, secret);
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('https://login.example.org')
      .setAudience('tasks')
      .setSubject('ada-1')
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(secret));
    const issuer = ['--jwt-issuer', 'https://login.example.org', '--jwt-audience', 'tasks'];
    const service = serving(...STORE, ...issuer, '--jwt-secret-file', 'secret.txt');
    await service.started;
    await writeFile(file, 't'.repeat(32));
    const listening = await service.workers(2);
    process.kill(listening[0]!, 'SIGTERM');
    await service.workers(1, listening);
    const answers = await askAll(service, { path: '/api/me', token });
    expect(new Set(statusesOf(answers))).to.deep.equal(new Set(['200']));
    await end(service);
  });

  it('refuses a store in memory, and numbers that make no sense, before it does anything', async () => {
    const memory = await at.here.run(['serve', '--store', 'memory:', '--workers', '2']);
    expect([memory.code, memory.stdout]).to.deep.equal([2, '']);
    expect(memory.stderr).to.include('--store file:PATH');
    for (const value of ['0', '65', '-1', '1.5', 'x', '02', 'auto', '1e1', ' 2']) {
      for (const [args, env] of [
        [[`--workers=${value}`], {}],
        [[], { ESPALIER_WORKERS: value }],
      ] as const) {
        const ran = await at.here.run(['serve', '--store', 'file:none.db', '--port', '0', ...args], { env });
        expect([ran.code, ran.stdout], value).to.deep.equal([2, '']);
        expect(ran.stderr).to.include('1 to 64');
      }
    }
    // In a process of its own: this one may have been started by a parent that it can send messages to.
    expect((await ended(start(at.here, 'worker'))).code).to.equal(2);
    expect(await readdir(at.here.path)).not.to.include('none.db');
  });
});
