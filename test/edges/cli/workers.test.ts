import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request, type Agent } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseExposition } from '../http/exposition.ts';
import { BOARD_FILE } from '../../unit/trello/fixture.ts';
import { ended, start, type Ended } from './child.ts';
import { cliDirectory, type CliDirectory } from './in-process.ts';
import { startServe, type Request, type Started, type ServeProcess, type Answer } from './serve-process.ts';

const STORE = ['--store', 'file:service.db', '--port', '0'] as const;

/** Asks until each of so many processes has answered. @returns all answers, in order */
async function askAll(service: ServeProcess, given: Request, processes = 2): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (new Set(answers.map(({ pid }) => pid)).size < processes) answers.push(await service.ask(given));
  return answers;
}

function pidsOf(answers: readonly Answer[]): ReadonlySet<number> {
  return new Set(answers.map(({ pid }) => pid));
}

function statusesOf(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ status }) => String(status)).toSorted();
}

describe('espalier serve --workers', function () {
  // Each test starts several processes, on a machine that may be busy.
  this.timeout(120_000);
  let here: CliDirectory;
  const teams: ServeProcess[] = [];

  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(async () => {
    for (const { child } of teams) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(teams.splice(0).map(({ done }) => done));
    await here.close();
  });

  function serving(...args: readonly string[]): ServeProcess {
    const service = startServe(here, '--workers', '2', ...args);
    teams.push(service);
    return service;
  }

  /** All of them end, in order. `done` waits for every process that holds the log open. */
  /** In order, whatever has happened to workers. */
  async function end(service: ServeProcess): Promise<Ended> {
    service.child.kill('SIGTERM');
    const outcome = await service.done;
    expect(outcome.code, outcome.stderr).to.equal(0);
    return outcome;
  }

  async function stop(service: ServeProcess): Promise<string> {
    const { stdout, stderr } = await end(service);
    expect(stderr).not.to.include('worker ended');
    return stdout;
  }

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

  it('takes one process and its log as they are when there is one', async () => {
    const child = start(here, 'serve', '--store', 'memory:', '--port', '0', '--workers', '1');
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

  it('counts for /metrics what all of them do, whichever is asked', async () => {
    const service = serving(...STORE);
    const seen = await askAll(service, { path: '/api/me' });
    for (const { text } of await askAll(service, { path: '/metrics' })) {
      const samples = parseExposition(text).flatMap((family) => family.samples);
      const count = samples.filter(
        ({ name, labels }) =>
          name === 'espalier_http_request_duration_seconds_count' && labels['operation'] === 'me.get',
      );
      expect(count.map(({ value }) => value)).to.deep.equal([seen.length]);
      const utilization = samples.find(({ name }) => name === 'espalier_event_loop_utilization')!;
      expect(utilization.value).to.be.within(0, 1);
    }
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
      await here.ok(['user', 'create', '--name', 'Ada', '--email', email], { env });
      const made = await here.ok(['token', 'create', '--name', 'x', '--user', email, '--json'], { env });
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

  it('puts another in place of a worker that is killed, and loses nothing that was acknowledged', async () => {
    const service = serving(...STORE);
    const first = await service.workers(2);
    const workspace = await service.ask({ method: 'POST', path: '/api/workspace', body: { name: 'Acme' } });
    const path = `/api/workspace/${(JSON.parse(workspace.text) as { id: string }).id}/page`;
    const acknowledged: string[] = [];
    const over = new AbortController();
    const client = async (name: string) => {
      for (let i = 0; !over.signal.aborted; i += 1) {
        const body = { name: `${name} ${i}`, type: 'folder' };
        // Without an answer, the worker that was to give it has been killed.
        const answer = await service.answerTo({ method: 'POST', path, body }).catch(() => null);
        if (answer === null) continue;
        // Or the worker that writes for all was killed, and nobody knows whether this was kept.
        expect(answer.status, answer.text).to.be.oneOf([201, 503]);
        if (answer.status === 201) acknowledged.push(body.name);
      }
    };
    const clients = Promise.all(['a', 'b', 'c', 'd'].map(client));
    const known = [...first];
    for (const victim of first) {
      process.kill(victim, 'SIGKILL');
      await service.line(({ msg, worker }) => msg === 'worker ended' && worker === victim);
      known.push(...(await service.workers(1, known)));
    }
    const answers = await askAll(service, { path: '/healthz', token: '' });
    over.abort();
    await clients;
    expect(pidsOf(answers)).to.deep.equal(new Set(known.slice(2)));
    const listed = JSON.parse((await service.ask({ path })).text) as { name: string }[];
    expect(acknowledged.length).to.be.greaterThan(0);
    expect(listed.map(({ name }) => name)).to.include.members(acknowledged);
    await end(service);
  });

  it('keeps its settings, whatever a profile says meanwhile', async () => {
    await here.ok(['config', 'set', 'store', 'file:service.db']);
    const service = serving('--port', '0');
    const first = await service.workers(2);
    await service.started;
    await here.ok(['config', 'set', 'store', 'file:other.db']);
    await here.ok(['config', 'set', 'requestsPerMinute', '1']);
    process.kill(first[0]!, 'SIGKILL');
    await service.workers(1, first);
    const answers = await askAll(service, { path: '/api/me' });
    expect(statusesOf(answers)).to.deep.equal(answers.map(() => '200'));
    await end(service);
  });

  it('keeps its address when all workers are killed at once', async () => {
    const service = serving(...STORE);
    const first = await service.workers(2);
    for (const victim of first) process.kill(victim, 'SIGKILL');
    const next = await service.workers(2, first);
    expect(pidsOf(await askAll(service, { path: '/api/me' }))).to.deep.equal(new Set(next));
    await end(service);
  });

  it('answers everybody else while a worker is stopped, and hangs up on whoever it had when it is killed', async () => {
    const service = serving(...STORE);
    await service.workers(2);
    await service.started;
    const [one, other] = await service.connections(2);
    const { pid: victim } = await service.ask({ path: '/healthz', token: '', agent: one! });
    process.kill(victim, 'SIGSTOP');
    // A worker takes connections by itself: those that one does not take are taken by the others.
    const asked = Array.from({ length: 8 }, () => service.ask({ path: '/healthz', token: '' }));
    const held = service.ask({ path: '/healthz', token: '', agent: one! }).then(
      () => 'answered',
      () => 'hung up on',
    );
    expect(pidsOf(await Promise.all(asked))).not.to.include(victim);
    expect((await service.ask({ path: '/healthz', token: '', agent: other! })).status).to.equal(200);
    process.kill(victim, 'SIGKILL');
    expect(await held).to.equal('hung up on');
    await service.line(({ msg, worker }) => msg === 'worker ended' && worker === victim);
    service.child.kill('SIGTERM');
    expect((await service.done).code).to.equal(0);
  });

  it('gives up when workers end again and again as they start', async () => {
    const service = serving(...STORE);
    const [victim] = await service.workers(2);
    await service.started;
    await writeFile(join(here.path, 'service.db'), 'This is no store.'.repeat(1_000));
    process.kill(victim!, 'SIGKILL');
    const { code, stderr } = await service.done;
    expect(code, stderr).to.equal(1);
    const said = stderr.split('\n').filter((line) => line.startsWith('espalier: '));
    expect(said).to.have.length(1);
    expect(said[0]).to.include('store-unavailable');
    expect(stderr).to.include('workers crash as they start');
  });

  /** A request that a worker has taken up, and whose end is to come. */
  async function heldRequest(service: ServeProcess): Promise<{ finish(): Promise<number> }> {
    const { url, administrator } = await service.started;
    const body = JSON.stringify({ name: 'Late' });
    const held = request(`${url}/api/workspace`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${administrator!.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    const answered = new Promise<number>((resolve, reject) => {
      held.once('response', (response) => resolve(response.resume().statusCode!));
      held.once('error', reject);
    });
    answered.catch(() => {});
    await new Promise((resolve) => held.once('continue', resolve));
    return {
      finish() {
        held.end(body);
        return answered;
      },
    };
  }

  /** Has it end, and waits until it takes no more requests. */
  async function asked(service: ServeProcess, reached: 'the first' | 'every' = 'the first'): Promise<void> {
    process.kill(reached === 'every' ? -service.child.pid! : service.child.pid!, 'SIGTERM');
    const { url } = await service.started;
    const isTaken = async () =>
      fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      );
    while (await isTaken());
  }

  for (const reached of ['the first', 'every'] as const) {
    it(`lets a running request end when it is asked to end: ${reached} process`, async () => {
      const service = serving(...STORE);
      const held = await heldRequest(service);
      await asked(service, reached);
      expect(await held.finish()).to.equal(201);
      expect((await service.done).code).to.equal(0);
    });
  }

  it('does not wait for it when it is asked twice', async () => {
    const service = serving(...STORE);
    await heldRequest(service);
    await asked(service);
    service.child.kill('SIGTERM');
    expect((await service.done).code).to.equal(130);
  });

  it('ends in order when Ctrl-C reaches every process', async () => {
    const service = serving(...STORE);
    await service.workers(2);
    await service.started;
    process.kill(-service.child.pid!, 'SIGINT');
    const { code, stderr } = await service.done;
    expect(code, stderr).to.equal(0);
    expect(stderr).not.to.include('worker ended');
    expect(stderr.match(/worker listens/g)).to.have.length(2);
  });

  for (const reached of ['the first', 'every'] as const) {
    it(`ends in order when it is asked to while it starts: ${reached} process`, async () => {
      const service = serving(...STORE);
      await service.workers(1);
      process.kill(reached === 'every' ? -service.child.pid! : service.child.pid!, 'SIGTERM');
      const { code, stdout, stderr } = await service.done;
      expect(code, stderr).to.equal(0);
      expect(stderr).not.to.include('worker ended');
      // Who it is for is made, and is not told again.
      expect((JSON.parse(stdout) as Started).administrator!.token).to.match(/^esp_/);
    });
  }

  it('leaves nobody behind when it is killed', async () => {
    const service = serving(...STORE);
    await service.workers(2);
    service.child.kill('SIGKILL');
    await service.done;
  });

  it('says once what keeps it from starting, and leaves nobody behind', async () => {
    const { started, child } = serving(...STORE);
    const { port } = new URL((await started).url);
    const taken = await serving('--store', 'file:other.db', '--port', port).done;
    expect([taken.code, taken.stdout]).to.deep.equal([1, '']);
    expect(taken.stderr.match(/EADDRINUSE/g)).to.have.length(1);
    expect(taken.stderr.match(/espalier: /g)).to.have.length(1);
    child.kill('SIGTERM');
    await writeFile(join(here.path, 'none.db'), 'This is no store.'.repeat(1_000));
    const unusable = await serving('--store', 'file:none.db', '--port', '0').done;
    expect([unusable.code, unusable.stdout]).to.deep.equal([1, '']);
    expect(unusable.stderr.match(/store-unavailable/g)).to.have.length(1);
    const proxies = await serving('--store', 'file:third.db', '--port', '0', '--trusted-proxies', 'nonsense').done;
    expect([proxies.code, proxies.stdout]).to.deep.equal([1, '']);
    expect(proxies.stderr.match(/espalier: /g)).to.have.length(1);
  });

  it('does not start, and leaves nobody behind, when a worker is killed before all of them listen', async () => {
    const killedEarly = async (): Promise<Ended> => {
      const service = serving('--workers', '4', ...STORE);
      const [victim] = await service.workers(1);
      // The others need it to listen.
      service.child.kill('SIGSTOP');
      process.kill(victim!, 'SIGKILL');
      service.child.kill('SIGCONT');
      const outcome = await Promise.race([service.done, service.started.catch(() => service.done)]);
      if (!('url' in outcome)) return outcome;
      // All of them were faster than the signal.
      service.child.kill('SIGKILL');
      await service.done;
      return killedEarly();
    };
    const outcome = await killedEarly();
    expect([outcome.code, outcome.stdout]).to.deep.equal([1, '']);
    expect(outcome.stderr.match(/espalier: .*SIGKILL/g)).to.have.length(1);
  });

  it('refuses a store in memory, and numbers that make no sense, before it does anything', async () => {
    const memory = await here.run(['serve', '--store', 'memory:', '--workers', '2']);
    expect([memory.code, memory.stdout]).to.deep.equal([2, '']);
    expect(memory.stderr).to.include('--store file:PATH');
    for (const value of ['0', '65', '-1', '1.5', 'x', '02', 'auto', '1e1', ' 2']) {
      for (const [args, env] of [
        [[`--workers=${value}`], {}],
        [[], { ESPALIER_WORKERS: value }],
      ] as const) {
        const ran = await here.run(['serve', '--store', 'file:none.db', '--port', '0', ...args], { env });
        expect([ran.code, ran.stdout], value).to.deep.equal([2, '']);
        expect(ran.stderr).to.include('1 to 64');
      }
    }
    expect((await here.run(['worker'])).code).to.equal(2);
    expect(await readdir(here.path)).not.to.include('none.db');
  });
});
