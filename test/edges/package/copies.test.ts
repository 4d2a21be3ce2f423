import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { createEspalier, EspalierError } from '../../../adapters/service/index.ts';
import { CommitFailure } from '../../../adapters/store-embedded/lmdb/commit-failure.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = promisify(execFile);
const BUILT = join(import.meta.dirname, '../../..');

interface Copy {
  readonly createHttpApp: typeof createHttpApp;
  readonly EspalierError: typeof EspalierError;
}

describe('two copies of the package in one process, as bundlers make them', () => {
  const folder = temporaryFolder();
  const inCopy = (module: string) => join(folder, 'dist/adapters', module, 'index.js');

  before(async () => {
    for (const part of ['core', 'adapters']) {
      await cp(join(BUILT, part), join(folder, 'dist', part), { recursive: true });
    }
    await symlink(join(BUILT, '../node_modules'), join(folder, 'node_modules'));
  });

  it('know the errors of each other', async () => {
    const copy = (await import(inCopy('service'))) as Copy;
    const error = new EspalierError('not-found', 'x');
    const theirs = new copy.EspalierError('not-found', 'x');
    expect(theirs.constructor).not.to.equal(EspalierError);
    for (const each of [error, theirs]) {
      expect(each instanceof EspalierError && each instanceof copy.EspalierError).to.equal(true);
      expect(each instanceof CommitFailure).to.equal(false);
    }
    for (const other of [null, 'x', new Error('x'), Object.assign({}, error)])
      expect(other instanceof EspalierError).to.equal(false);
  });

  it('answer with the same codes where one serves the engine of the other', async () => {
    const { createHttpApp: createOther } = (await import(inCopy('http'))) as Copy;
    const espalier = createEspalier({ store: memoryStore() });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId, name: 'laptop' });
    const { engine, identity, store } = espalier;
    const options = { engine, identity, ready: () => store.ready() };
    const requests: readonly (readonly [string, RequestInit])[] = [
      ['/api/workspace/none', {}],
      ['/api/workspace', { method: 'POST', body: '{"name":"Acme","alias":"acme"}' }],
      ['/api/workspace', { method: 'POST', body: '{"name":"Acme","alias":"acme"}' }],
      ['/api/me', { headers: {} }],
    ];
    const statuses: number[] = [];
    const apps = [createHttpApp(options), createOther(options)];
    for (const app of apps) {
      for (const [path, init] of requests) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const request = new Request(`http://espalier.test${path}`, { headers, ...init });
        statuses.push((await app.fetch(request)).status);
      }
      app.close();
    }
    expect(statuses).to.deep.equal([404, 201, 409, 401, 404, 409, 409, 401]);
    await espalier.close();
  });

  // In a process of its own, as two environments of lmdb on one file block the event loop.
  it('share a store file', async () => {
    const program = `
      const modules = process.argv.slice(2);
      const path = process.argv[1];
      const at = '2026-01-01T00:00:00.000Z';
      await Promise.all(modules.map(async (module, n) => {
        const { embeddedStore } = await import(module);
        for (let times = 0; times < 20; times += 1) {
          const store = embeddedStore({ path });
          const subject = '01890000-0000-7000-8000-00000000000' + n;
          await store.write((tx) => tx.activity.touch(subject, at));
          await store.close();
        }
      }));
      console.log('closed');`;
    const modules = [join(BUILT, 'adapters/store-embedded/index.js'), inCopy('store-embedded')];
    const args = ['--input-type=module', '-e', program, join(folder, 'shared.db'), ...modules];
    const { stdout } = await run(process.execPath, args, { timeout: 60_000, killSignal: 'SIGKILL' });
    expect(stdout).to.equal('closed\n');
  }).timeout(90_000);
});
