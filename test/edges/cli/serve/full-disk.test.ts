import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { smallDisk, type SmallDisk } from '../../../fixtures/process/small-disk.ts';
import { ended, MAIN, start } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { startServe, type Started, type ServeProcess } from './serve-process.ts';

const ADMINISTRATOR = { ESPALIER_AS: 'admin@espalier.localhost' };

/** Bytes: a part of a page, so that the disk is full to the last of it. */
const NOTHING = 0;
const SOME = 400_000;

describe('a full disk', function () {
  this.timeout(120_000);
  let here: CliDirectory;
  let disk: SmallDisk | undefined;
  let service: ServeProcess | undefined;

  beforeEach(async function () {
    here = await cliDirectory();
    disk = smallDisk(this, join(here.path, 'disk'), '4m');
  });
  afterEach(async () => {
    if (service !== undefined && service.child.exitCode === null) service.child.kill('SIGKILL');
    await service?.done;
    service = undefined;
    disk?.unmount();
    disk = undefined;
    await here.close();
  });

  for (const workers of ['1', '2']) {
    it(`has writes refused, reads answered and nothing lost, and is over when there is room: ${workers} workers`, async () => {
      service = startServe(
        here,
        '--workers',
        workers,
        '--store',
        'file:disk/service.db',
        '--port',
        '0',
        '--log-level',
        'fatal',
      );
      const { url, administrator } = await service.started;
      const headers = { authorization: `Bearer ${administrator!.token}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) =>
        fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const workspace = (await (await post('/api/workspace', { name: 'Acme' })).json()) as { id: string };
      const pages = `/api/workspace/${workspace.id}/page`;
      disk!.fill(SOME);
      const acknowledged: string[] = [];
      const refused: string[] = [];
      const client = async (name: string): Promise<void> => {
        for (let i = 0; refused.length < 100; i += 1) {
          const page = { name: `${name} ${i} ${'x'.repeat(80)}`, type: 'folder' };
          const answer = await post(pages, page);
          const { code } = (await answer.json()) as { code?: string };
          if (answer.status === 201) acknowledged.push(page.name);
          else {
            expect([answer.status, code]).to.deep.equal([503, 'store-unavailable']);
            refused.push(page.name);
          }
        }
      };
      await Promise.all(['a', 'b', 'c', 'd'].map(client));
      for (let i = 0; i < 4; i += 1) {
        expect((await fetch(url + pages, { headers })).status).to.equal(200);
        expect((await fetch(`${url}/readyz`)).status).to.equal(503);
        expect((await fetch(`${url}/healthz`)).status).to.equal(200);
      }
      disk!.empty();
      // Each worker tries by itself, from half a second after it has failed on.
      for (let wrote = 0; wrote < 8;) {
        const isReady = (await fetch(`${url}/readyz`)).status === 200;
        const answer = await post(pages, { name: 'later', type: 'folder' });
        if (answer.status === 201) wrote += 1;
        else expect(answer.status).to.equal(503);
        if (workers === '1' && isReady) expect(answer.status).to.equal(201);
      }
      service.child.kill('SIGTERM');
      expect((await service.done).code).to.equal(0);
      const env = { ...ADMINISTRATOR, ESPALIER_STORE: 'file:disk/service.db' };
      const listed = (await here.ok(['page', 'list', '--workspace', 'acme', '--json'], { env })).json<
        { name: string }[]
      >();
      const found = new Set(listed.map(({ name }) => name));
      expect(acknowledged.filter((name) => !found.has(name))).to.deep.equal([]);
      expect(refused.filter((name) => found.has(name))).to.deep.equal([]);
      expect(acknowledged.length).to.be.greaterThan(0);
      await here.ok(['doctor'], { env });
    });
  }

  it('says what keeps a service from starting, and leaves nothing in its way', async () => {
    disk!.fill(NOTHING);
    const refused = startServe(here, '--store', 'file:disk/service.db', '--port', '0');
    const { code, stderr } = await refused.done;
    expect([code, stderr.match(/store-unavailable/g)?.length], stderr).to.deep.equal([1, 1]);
    disk!.empty();
    service = startServe(here, '--store', 'file:disk/service.db', '--port', '0');
    await service.started;
    service.child.kill('SIGTERM');
    expect((await service.done).code).to.equal(0);
  });

  for (const workers of ['1', '2']) {
    it(`keeps no service from answering when its log is there: ${workers} workers`, async () => {
      disk!.fill(NOTHING);
      const log = openSync(join(disk!.path, 'log'), 'w');
      const args = ['serve', '--json', '--store', 'file:service.db', '--port', '0', '--workers', workers];
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: here.path, stdio: ['ignore', 'pipe', log] });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const started = await new Promise<Started>((resolve) => {
        let text = '';
        child.stdout!.on('data', (data: Buffer) => {
          text += data.toString();
          if (text.endsWith('\n}\n')) resolve(JSON.parse(text) as Started);
        });
      });
      for (let i = 0; i < 50; i += 1) expect((await fetch(`${started.url}/healthz`)).status).to.equal(200);
      disk!.empty();
      for (let i = 0; i < 4; i += 1) expect((await fetch(`${started.url}/healthz`)).status).to.equal(200);
      expect(readFileSync(join(disk!.path, 'log'), 'utf8')).to.include('/healthz');
      child.kill('SIGTERM');
      expect(await exited).to.equal(0);
    });
  }

  it('ends an export with an error, and leaves no part of it', async () => {
    const env = { ...ADMINISTRATOR, ESPALIER_STORE: 'file:service.db' };
    await prepared(env);
    disk!.fill(NOTHING);
    const exported = await here.run(['export', 'disk/acme.jsonl', '--workspace', 'acme'], { env });
    expect([exported.code, exported.stdout]).to.deep.equal([1, '']);
    expect(await readdir(disk!.path)).to.deep.equal(['ballast']);
  });

  it('ends an import with an error, which can be made again when there is room', async () => {
    const env = { ...ADMINISTRATOR, ESPALIER_STORE: 'file:service.db' };
    await prepared(env);
    const names = Array.from({ length: 3_000 }, (_, i) => `Task ${i} ${'x'.repeat(100)}`);
    const tasks = names.map((title) => JSON.stringify({ title, board: 'Dev' })).join('\n');
    await here.ok(['task', 'create', '--from', '-', '--workspace', 'acme'], { env, stdin: tasks });
    await here.ok(['export', 'acme.jsonl', '--workspace', 'acme'], { env });
    disk!.fill(SOME);
    const other = start(
      { ...here, env: { ...here.env, ESPALIER_STORE: 'file:disk/other.db' } },
      'import',
      'acme.jsonl',
    );
    const { code, stderr } = await ended(other);
    expect([code, stderr.includes('store-unavailable')], stderr).to.deep.equal([1, true]);
    disk!.empty();
    const again = { env: { ESPALIER_STORE: 'file:disk/other.db' } };
    await here.ok(['doctor'], again);
    // What it has written waits for a minute in case it goes on; then any process on the store removes it.
    const later = { now: () => Date.now() + 120_000 };
    const espalier = createEspalier({ store: await openStore(`file:${join(disk!.path, 'other.db')}`), clock: later });
    await espalier.idle();
    await espalier.close();
    await here.ok(['import', 'acme.jsonl'], again);
    await here.ok(['doctor'], again);
  });

  async function prepared(env: Readonly<Record<string, string>>): Promise<void> {
    const service = startServe(here, '--store', 'file:service.db', '--port', '0');
    await service.started;
    service.child.kill('SIGTERM');
    await service.done;
    await here.ok(['workspace', 'create', '--name', 'Acme'], { env });
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev', '--workspace', 'acme'], { env });
    await here.ok(['status', 'create', '--name', 'Todo', '--board', 'Dev', '--workspace', 'acme'], { env });
  }
});
