import { assert, expect } from 'chai';
import { throws } from '../../fixtures/errors.ts';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as lmdb from 'lmdb';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { migrate } from '../../../adapters/store-embedded/schema.ts';
import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { board, newId, task, user } from '../../contract/records.ts';
import { needs, runs } from '../../fixtures/available.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('opening an embedded store', () => {
  const folder = temporaryFolder();
  const newPath = (): string => join(folder, `${randomUUID()}.db`);

  it('makes a missing file, and takes an empty one for a new store', async () => {
    for (const content of [null, '']) {
      const path = newPath();
      if (content !== null) writeFileSync(path, content);
      const store = embeddedStore({ path });
      await store.ready();
      await store.close();
      assert(existsSync(path));
    }
  });

  for (const [what, content] of [
    ['a text', Buffer.from('Dear diary, today I opened a store.\n'.repeat(500))],
    ['a short text', Buffer.from('x')],
    ['random bytes', randomBytes(9000)],
    ['zeros', Buffer.alloc(9000)],
  ] as const) {
    it(`refuses ${what} and leaves it as it is`, () => {
      const path = newPath();
      writeFileSync(path, content);
      throws(() => embeddedStore({ path }), { code: 'store-unavailable' });
      expect(readFileSync(path)).to.deep.equal(content);
    });
  }

  it('refuses a folder, and a path that cannot be made', () => {
    const path = newPath();
    mkdirSync(path);
    throws(() => embeddedStore({ path }), { code: 'store-unavailable' });
    writeFileSync(join(path, 'file'), 'x');
    throws(() => embeddedStore({ path: join(path, 'file', 'espalier.db') }), { code: 'store-unavailable' });
  });

  it('refuses the database of another program and leaves it as it is', async () => {
    const path = newPath();
    const other = lmdb.open({ path, noSubdir: true, overlappingSync: false });
    await other.put('key', 'value');
    await other.close();
    const content = readFileSync(path);
    throws(() => embeddedStore({ path }), { code: 'store-unavailable' });
    expect(readFileSync(path)).to.deep.equal(content);
  });

  it('refuses a file whose end is missing and leaves it as it is', async () => {
    const path = newPath();
    const store = embeddedStore({ path });
    const kanban = board(newId());
    await store.write(async (tx) => {
      for (let num = 1; num < 500; num += 1)
        await tx.tasks.insert(task(kanban, num, { description: 'x'.repeat((num % 7) * 3000) }));
    });
    await store.close();
    for (const size of [readFileSync(path).length - 4096, 20_000, 8192, 5000, 100]) {
      truncateSync(path, size);
      const content = readFileSync(path);
      throws(() => embeddedStore({ path }), { code: 'store-unavailable' });
      expect(readFileSync(path)).to.deep.equal(content);
    }
  });

  it('takes a file that ends before its last page, when only free pages are missing', async () => {
    // With a tree of one page, of several, and with values that have pages of their own.
    for (const [count, length] of [
      [0, 0],
      [60, 0],
      [500, 3000],
    ] as const) {
      const path = newPath();
      const store = embeddedStore({ path });
      const kanban = board(newId());
      await store.write(async (tx) => {
        for (let num = 1; num <= count; num += 1)
          await tx.tasks.insert(task(kanban, num, { description: 'x'.repeat((num % 7) * length) }));
      });
      await store.close();
      const meta = readFileSync(path);
      for (const at of [144, 4096 + 144]) meta.writeBigUInt64LE(10_000n, at);
      writeFileSync(path, meta);
      const opened = embeddedStore({ path });
      await opened.write((tx) => tx.users.insert(user()));
      await opened.close();
      await embeddedStore({ path }).close();
    }
  });

  it('costs no more for 20,000 tasks than for none', async () => {
    const [empty, full] = [newPath(), newPath()];
    await embeddedStore({ path: empty }).close();
    const store = embeddedStore({ path: full });
    const kanban = board(newId());
    for (let part = 0; part < 10; part += 1) {
      await store.write(async (tx) => {
        for (let num = 1; num <= 2000; num += 1) await tx.tasks.insert(task(kanban, part * 2000 + num));
      });
    }
    await store.close();
    const grown = async (path: string): Promise<number> => {
      const before = process.memoryUsage();
      const opened = embeddedStore({ path });
      const after = process.memoryUsage();
      await opened.close();
      return after.heapUsed + after.external - before.heapUsed - before.external;
    };
    await grown(empty);
    assert((await grown(full)) - (await grown(empty)) < 1_000_000);
  });

  it('maps its file once, however much it grows', async function () {
    needs(this, '/proc', existsSync('/proc/self/maps'));
    const path = newPath();
    const store = embeddedStore({ path });
    const kanban = board(newId());
    await store.write((tx) => tx.tasks.insert(task(kanban, 1, { description: 'x'.repeat(4 * 1024 ** 2) })));
    const maps = readFileSync('/proc/self/maps', 'utf8').split('\n');
    expect(maps.filter((map) => map.endsWith(path))).to.have.length(1);
    await store.close();
  });

  it('needs no more addresses than the process may have', function () {
    needs(this, 'ulimit', runs('sh', '-c', 'ulimit -v 67108864'));
    const module = new URL('../../../adapters/store-embedded/index.js', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then((m) => m.embeddedStore({ path: process.argv[1] }).close())`;
    const limited = ['-c', 'ulimit -v 67108864; exec "$0" "$@"', process.execPath, '-e', script, newPath()];
    execFileSync('sh', limited);
  });

  it('may be done twice in one process', async () => {
    const path = newPath();
    const [one, two] = [embeddedStore({ path }), embeddedStore({ path })];
    const ada = user();
    await one.write((tx) => tx.users.insert(ada));
    await one.close();
    expect(await two.read((tx) => tx.users.get(ada.id))).to.deep.equal(ada);
    await two.close();
  });

  it('leaves nothing of it in lmdb once it is closed', async () => {
    const { allDbs } = lmdb as unknown as { readonly allDbs: ReadonlyMap<string, unknown> };
    const before = allDbs.size;
    const store = embeddedStore({ path: newPath() });
    await store.ready();
    await store.close();
    expect(allDbs.size).to.equal(before);
  });
});

describe('the schema of an embedded store', () => {
  const set = (key: string) => (kv: { put(key: string, value: number): void }) => kv.put(key, 1);

  it('is written once and brought forward step by step', () => {
    const draft = new TreeSnapshot().draft();
    migrate(draft, []);
    migrate(draft, [set('a')]);
    expect(draft.get('a')).to.equal(1);
    draft.remove('a');
    migrate(draft, [set('a'), set('b'), set('c')]);
    expect([draft.get('a'), draft.get('b'), draft.get('c')]).to.deep.equal([undefined, 1, 1]);
    migrate(readOnly(draft), [set('a'), set('b'), set('c')]);
  });

  it('of a newer release is refused', () => {
    const draft = new TreeSnapshot().draft();
    migrate(draft, [set('a')]);
    throws(() => migrate(readOnly(draft), []), { code: 'store-unavailable' });
  });

  it('is not written over what is not ours', () => {
    const draft = new TreeSnapshot().draft();
    draft.put('x', 1);
    throws(() => migrate(draft, []), { code: 'store-unavailable' });
  });
});
