import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Started, ServeProcess } from './serve-process.ts';
import { STORE, servingWorkers } from './serving-workers.ts';

describe('espalier serve --workers, when it starts and ends', function () {
  // Each test starts several processes, on a machine that may be busy.
  this.timeout(120_000);
  const at = servingWorkers();
  const { serving } = at;

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
    expect((await service.done).code).to.equal(143);
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

  it('says once what keeps it from starting, and leaves nobody behind', async () => {
    const { started, child } = serving(...STORE);
    const { port } = new URL((await started).url);
    const taken = await serving('--store', 'file:other.db', '--port', port).done;
    expect([taken.code, taken.stdout]).to.deep.equal([1, '']);
    expect(taken.stderr.match(/EADDRINUSE/g)).to.have.length(1);
    expect(taken.stderr.match(/espalier: /g)).to.have.length(1);
    child.kill('SIGTERM');
    await writeFile(join(at.here.path, 'none.db'), 'This is no store.'.repeat(1_000));
    const unusable = await serving('--store', 'file:none.db', '--port', '0').done;
    expect([unusable.code, unusable.stdout]).to.deep.equal([1, '']);
    expect(unusable.stderr.match(/store-unavailable/g)).to.have.length(1);
    const proxies = await serving('--store', 'file:third.db', '--port', '0', '--trusted-proxies', 'nonsense').done;
    expect([proxies.code, proxies.stdout]).to.deep.equal([2, '']);
    expect(proxies.stderr.match(/espalier: /g)).to.have.length(1);
  });
});
