import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEspalier, openStore, type Espalier } from '../../../../adapters/service/index.ts';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Session } from '../../../../core/session.ts';
import { ended, start } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

const lines = (count: number) => Array.from({ length: count }, (_, i) => `{"title":"task ${i + 1}"}\n`).join('');

describe('Interrupted bulk work on a service', () => {
  let here: CliDirectory;
  let espalier: Espalier;
  let service: Service;
  let ada: Session;
  /** Answer of each batch before it is made. */
  let onBatch: (() => void) | undefined;

  beforeEach(async () => {
    here = await cliDirectory();
    espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    ada = espalier.as(user);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const { engine, identity } = espalier;
    const createMany: typeof engine.tasks.createMany = (call, input) => {
      onBatch?.();
      return engine.tasks.createMany(call, input);
    };
    const watched = { ...engine, tasks: { ...engine.tasks, createMany } };
    service = await startService({ engine: watched, identity, ready: () => espalier.store.ready(), port: 0 });
    here.env['ESPALIER_URL'] = service.url;
    here.env['ESPALIER_TOKEN'] = (await espalier.tokens.createFor({ userId: user.id, name: 'test' })).token;
  });
  afterEach(async () => {
    onBatch = undefined;
    await service.close();
    await espalier.close();
    await here.close();
  });

  async function titles(): Promise<readonly string[]> {
    const ran = await here.ok(['task', 'list', '--all', '--json', '--fields', 'title']);
    return ran.json<{ title: string }[]>().map(({ title }) => title);
  }

  for (const [mode, size] of [
    [['--atomic'], 1_000],
    [[], 100],
  ] as const) {
    it(`ends after a whole batch of ${size}, and says how far it came`, async () => {
      const child = start(here, 'task', 'create', '-b', 'Dev', '--from', '-', '--jsonl', ...mode);
      let batches = 0;
      onBatch = () => {
        if (++batches === 2) child.kill('SIGINT');
      };
      const done = ended(child);
      child.stdin.end(lines(5 * size));
      const { code, stdout, stderr } = await done;
      expect(code, stderr).to.equal(130);
      const there = await titles();
      expect(there.length % size).to.equal(0);
      expect(there.length)
        .to.be.at.least(2 * size)
        .and.below(5 * size);
      const reported = stdout.trim().split('\n');
      expect(reported).to.have.length(there.length);
      expect(reported.at(-1)).to.include(`"line":${there.length},`);
      expect(stderr).to.include(`Done up to line ${there.length}. `);
    });
  }

  it('an atomic batch that is refused is the last, and what came before it stays', async () => {
    const stdin = `${lines(1_000)}${lines(3)}{"title":"bad","priority":-1}\n${lines(2_000)}`;
    const ran = await here.run(['task', 'create', '-b', 'Dev', '--from', '-', '--atomic'], { stdin });
    expect(ran.code).to.equal(2);
    expect(ran.stderr).to.include('1,000 tasks created').and.include('Done up to line 1000').and.include('Line 1004');
    expect(await titles()).to.have.length(1_000);
  });
});

describe('A command that is interrupted while it waits for an answer', () => {
  for (const [args, isUnknown, exit] of [
    [['workspace', 'create', '--name', 'Acme'], true, 130],
    [['workspace', 'list'], false, 130],
    [['task', 'delete', '1', '2', '--yes'], false, 130],
    [['export', '-'], false, 130],
    [['snapshot'], false, 130],
    // What follows changes until it is stopped has not failed.
    [['watch'], false, 0],
    [['board', 'show', 'Launch', '--watch'], false, 0],
  ] as const) {
    it(`says of \`${args.join(' ')}\` that it ${isUnknown ? 'may be done' : 'was interrupted'}`, async () => {
      const here = await cliDirectory();
      const stop = new AbortController();
      const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      try {
        const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
        const env = { ESPALIER_URL: url, ESPALIER_TOKEN: 'esp_x' };
        const { code, stderr } = await here.run(args, { env, stop: stop.signal });
        expect(code).to.equal(exit);
        expect(stderr.includes('not known')).to.equal(isUnknown);
      } finally {
        silent.closeAllConnections();
        silent.close();
        await here.close();
      }
    });
  }
});

describe('Interrupted export and import on a store', () => {
  let here: CliDirectory;
  let file: string;

  before(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    const as = ['--as', 'ada@example.org'];
    await here.ok(['workspace', 'create', '--name', 'Acme', ...as]);
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev', ...as]);
    await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo', ...as]);
    await here.ok(['task', 'create', '-b', 'Dev', '--from', '-', ...as], { stdin: lines(3_000) });
    await here.ok(['export', 'acme.jsonl', '-w', 'acme']);
    file = await readFile(join(here.path, 'acme.jsonl'), 'utf8');
    here.env['ESPALIER_STORE'] = 'file:other.db';
  });
  after(() => here.close());

  it('an import leaves nothing behind, and works afterwards', async () => {
    const child = start(here, 'import', '-');
    const done = ended(child);
    const most = file.slice(0, Math.floor(file.length * 0.9));
    // More than a pipe holds: once it is taken, tasks have been written.
    if (!child.stdin.write(most)) await once(child.stdin, 'drain');
    child.kill('SIGINT');
    const { code, stderr } = await done;
    expect(code, stderr).to.equal(130);
    const espalier = createEspalier({ store: await openStore(`file:${join(here.path, 'other.db')}`) });
    try {
      const [workspace, users] = await espalier.store.read(async (tx) => [
        await tx.workspaces.by({ alias: 'acme' }),
        await tx.users.by({ email: 'ada@example.org' }),
      ]);
      expect([workspace, users]).to.deep.equal([null, null]);
      // As long as something is left of the one before, an import is told to come back later.
      await espalier.idle();
      expect(await espalier.operator.doctor.check()).to.include({ workspaces: 0, pages: 0, tasks: 0, comments: 0 });
    } finally {
      await espalier.close();
    }
    await here.ok(['import', 'acme.jsonl']);
    expect((await here.ok(['doctor'])).stderr).to.include('3,000 tasks');
  });

  it('an export leaves no file behind', async () => {
    const interrupted = await here.run(['export', 'cut.jsonl', '-w', 'acme', '--store', 'file:here.db'], {
      stop: AbortSignal.abort(),
    });
    expect(interrupted.code).to.equal(130);
    expect((await readdir(here.path)).filter((name) => name.startsWith('cut.jsonl'))).to.deep.equal([]);
  });
});

describe('Interrupted export and import through a service', () => {
  let here: CliDirectory;
  let espalier: Espalier;
  let service: Service;
  /** Answer of each record that goes out, and of each that came in. */
  let onRecord: (done: number) => Promise<void>;

  beforeEach(async () => {
    here = await cliDirectory();
    espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    const ada = espalier.as(user);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const tasks = Array.from({ length: 1_000 }, (_, i) => ({ boardId, title: `task ${i}` }));
    for (let batch = 0; batch < 3; batch++) await ada.tasks.createMany({ workspaceId, tasks });
    let done = 0;
    const { engine, identity } = espalier;
    const watched: typeof engine = {
      ...engine,
      exports: {
        workspace: (call, input) =>
          engine.exports.workspace(call, {
            ...input,
            async sink(record) {
              await input.sink(record);
              await onRecord(++done);
            },
          }),
      },
      imports: {
        ...engine.imports,
        workspace: (call, input) => engine.imports.workspace(call, { ...input, records: each(input.records) }),
      },
    };
    async function* each<T>(records: AsyncIterable<T>): AsyncIterableIterator<T> {
      for await (const record of records) {
        await onRecord(++done);
        yield record;
      }
    }
    service = await startService({ engine: watched, identity, ready: () => espalier.store.ready(), port: 0 });
    here.env['ESPALIER_URL'] = service.url;
    here.env['ESPALIER_TOKEN'] = (await espalier.tokens.createFor({ userId: user.id, name: 'test' })).token;
    onRecord = () => Promise.resolve();
  });
  afterEach(async () => {
    await service.close();
    await espalier.close();
    await here.close();
  });

  it('an export leaves no file behind, though the service has more to say', async () => {
    const child = start(here, 'export', 'acme.jsonl');
    const done = ended(child);
    onRecord = async (count) => {
      if (count < 1_500) return;
      child.kill('SIGINT');
      await done;
    };
    const { code, stderr } = await done;
    expect(code, stderr).to.equal(130);
    expect((await readdir(here.path)).filter((name) => name.startsWith('acme.jsonl'))).to.deep.equal([]);
  });

  it('an import leaves nothing behind, and works afterwards', async () => {
    await here.ok(['export', 'acme.jsonl']);
    await here.ok(['workspace', 'delete', 'acme', '--yes']);
    await espalier.idle();
    const file = await readFile(join(here.path, 'acme.jsonl'), 'utf8');
    const child = start(here, 'import', '-');
    const done = ended(child);
    let count = 0;
    onRecord = () => Promise.resolve(void (++count === 1_500 && child.kill('SIGINT')));
    // What it does not read any more is of no interest.
    child.stdin.on('error', () => {});
    child.stdin.write(file.slice(0, Math.floor(file.length * 0.9)));
    const { code, stderr } = await done;
    expect(code, stderr).to.equal(130);
    expect(count).to.be.at.least(1_500);
    // The service hears that nothing more comes, and removes what was written.
    const jobs = () => espalier.store.read((tx) => tx.jobs.list('all', {}, { limit: 1 }));
    while ((await espalier.operator.doctor.check()).tasks > 0 || (await jobs()).length > 0) {
      await espalier.idle();
      // In another turn of the event loop: the service has to hear of the end, and to be woken.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await here.ok(['workspace', 'list', '--json'])).json()).to.deep.equal([]);
    onRecord = () => Promise.resolve();
    await here.ok(['import', 'acme.jsonl']);
    expect(await espalier.operator.doctor.check()).to.deep.include({ workspaces: 1, tasks: 3_000, findings: [] });
  });
});
