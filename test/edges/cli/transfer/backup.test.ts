import { expect } from 'chai';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliDirectory, devDirectory } from '../in-process.ts';
import { startServe } from '../serve/serve-process.ts';

describe('backup', function () {
  this.timeout(60_000);
  let here: CliDirectory;
  before(async () => {
    here = await devDirectory();
  });
  after(() => here.close());

  it('copies a store that a service has open, tokens included', async () => {
    const service = startServe(here, '--port', '0', '--workers', '2');
    try {
      const { url } = await service.started;
      const created = await here.ok(['token', 'create', '--name', 'laptop', '--json']);
      const { token } = created.json<{ token: string }>();
      const headers = { authorization: `Bearer ${token}` };
      const { id } = (await (await fetch(`${url}/api/me`, { headers })).json()) as { id: string };
      const { file, bytes } = (await here.ok(['backup', 'copy.db', '--json'])).json<{ file: string; bytes: number }>();
      expect([file, bytes]).to.deep.equal([join(here.path, 'copy.db'), (await stat(file)).size]);
      const copy = { env: { ESPALIER_STORE: 'file:copy.db', ESPALIER_AS: 'operator' } };
      await here.ok(['doctor'], copy);
      expect((await here.ok(['user', 'list', '--json'], copy)).stdout).to.include(id);
      expect((await fetch(`${url}/api/me`, { headers })).status).to.equal(200);
    } finally {
      service.child.kill();
      await service.done;
    }
    const restored = startServe({ ...here, env: { ...here.env, ESPALIER_STORE: 'file:copy.db' } }, '--port', '0');
    try {
      const { url } = await restored.started;
      expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    } finally {
      restored.child.kill();
      await restored.done;
    }
  });

  it('changes nothing that is there', async () => {
    await here.ok(['backup', 'twice.db']);
    const before = await readdir(here.path);
    const ran = await here.run(['backup', 'twice.db']);
    expect(ran.code).to.equal(2);
    expect(ran.stderr).to.include('<file>');
    expect((await here.run(['backup', 'no/such/folder.db'])).code).to.equal(1);
    expect(await readdir(here.path)).to.deep.equal(before);
  });

  it('is of an embedded store', async () => {
    for (const env of [
      { ESPALIER_STORE: 'memory:' },
      { ESPALIER_URL: 'http://127.0.0.1:9', ESPALIER_TOKEN: 'esp_x', ESPALIER_STORE: '', ESPALIER_AS: '' },
      { ESPALIER_STORE: 'file:missing.db' },
    ]) {
      const { code } = await here.run(['backup', 'other.db'], { env });
      expect(code).to.equal(env.ESPALIER_STORE === 'file:missing.db' ? 3 : 2);
    }
    expect(await readdir(here.path)).not.to.include('other.db');
  });
});
