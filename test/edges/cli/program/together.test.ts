import { expect } from 'chai';
import { cliDirectory } from '../in-process.ts';

describe('Commands that run at the same time in one process', () => {
  it('share a store in a file', async function () {
    this.timeout(60_000);
    const here = await cliDirectory();
    const env = { ESPALIER_STORE: 'file:together.db', ESPALIER_AS: 'ada@example.org', ESPALIER_WORKSPACE: 'acme' };
    const ok = (...args: string[]) => here.ok(args, { env });
    await ok('user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--as', 'operator');
    await ok('workspace', 'create', '--name', 'Acme');
    await ok('board', 'create', '--no-columns', '--name', 'Dev');
    await ok('status', 'create', '--board', 'Dev', '--name', 'Todo');
    for (let round = 1; round <= 10; round++) {
      await Promise.all([
        ok('task', 'create', '--board', 'Dev', '--title', `Task ${round}`),
        ok('task', 'list'),
        ok('board', 'show', 'Dev'),
        ok('page', 'create', '--type', 'folder', '--name', `Folder ${round}`),
      ]);
    }
    expect((await ok('task', 'list', '--json')).json<unknown[]>()).to.have.length(10);
    await here.close();
  });
});
