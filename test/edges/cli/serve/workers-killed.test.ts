import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Ended } from '../child.ts';
import { STORE, askAll, pidsOf, servingWorkers } from './serving-workers.ts';

describe('espalier serve --workers, when processes are killed', function () {
  // Each test starts several processes, on a machine that may be busy.
  this.timeout(120_000);
  const at = servingWorkers();
  const { serving, end } = at;

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
        // Or the worker that writes for others was killed, and the outcome is unknown.
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

  it('keeps its address when all workers are killed at once', async () => {
    const service = serving(...STORE);
    const first = await service.workers(2);
    for (const victim of first) process.kill(victim, 'SIGKILL');
    const next = await service.workers(2, first);
    expect(pidsOf(await askAll(service, { path: '/api/me' }))).to.deep.equal(new Set(next));
    await end(service);
  });

  it('answers everybody else while a worker is stopped, and closes its connections when it is killed', async () => {
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
    await writeFile(join(at.here.path, 'service.db'), 'This is no store.'.repeat(1_000));
    process.kill(victim!, 'SIGKILL');
    const { code, stderr } = await service.done;
    expect(code, stderr).to.equal(1);
    const said = stderr.split('\n').filter((line) => line.startsWith('espalier: '));
    expect(said).to.have.length(1);
    expect(said[0]).to.include('store-unavailable');
    expect(stderr).to.include('workers crash as they start');
  });

  it('leaves nobody behind when it is killed', async () => {
    const service = serving(...STORE);
    await service.workers(2);
    service.child.kill('SIGKILL');
    await service.done;
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
});
