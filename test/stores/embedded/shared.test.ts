import { expect } from 'chai';
import { rejects, throws } from '../../fixtures/errors.ts';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const at = '2026-01-01T00:00:00.000Z';
const SUBJECT = '01890000-0000-7000-8000-000000000001';

describe('one file opened more than once in a process', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'shared.db');

  it('serves on after one holder has closed, and opens anew after the last', async () => {
    const first = embeddedStore({ path });
    const second = embeddedStore({ path });
    await first.close();
    await first.close();
    await rejects(
      first.read((tx) => tx.activity.of([SUBJECT])),
      (error: { code?: string }) => error.code === 'store-unavailable',
    );
    await second.write((tx) => tx.activity.touch(SUBJECT, at));
    await second.close();
    const third = embeddedStore({ path });
    expect((await third.read((tx) => tx.activity.of([SUBJECT]))).get(SUBJECT)).to.equal(at);
    await third.close();
  });

  it('is refused as durable while its writes are not, and is durable for others while they are', async () => {
    const fast = embeddedStore({ path, durable: false });
    throws(() => embeddedStore({ path }), { code: 'store-unavailable' });
    await fast.close();
    const durable = embeddedStore({ path });
    const other = embeddedStore({ path, durable: false });
    await other.write((tx) => tx.activity.touch(SUBJECT, at));
    await durable.close();
    await other.close();
  });

  for (const [what, closeAnother] of [
    ['otherwise durable', async () => embeddedStore({ path, durable: false }).close()],
    ['of a thread', () => openAndCloseInThread(path)],
  ] as const) {
    it(`keeps the locks of the file when a store ${what} on it closes`, async () => {
      const store = embeddedStore({ path });
      await store.ready();
      await closeAnother();
      await store.read(async (tx) => {
        await tx.users.get(SUBJECT);
        // A process that finds no lock makes the lock file anew.
        expect(pidsOfReaders(path)).to.include(process.pid);
      });
      await store.close();
    });
  }
});

async function openAndCloseInThread(path: string): Promise<void> {
  const script = `import(workerData.module).then(({ embeddedStore }) => embeddedStore({ path: workerData.path }).close())`;
  const module = new URL('../../../adapters/store-embedded/index.js', import.meta.url).href;
  const thread = new Worker(`const { workerData } = require('node:worker_threads'); ${script}`, {
    eval: true,
    workerData: { module, path },
  });
  const [code] = (await once(thread, 'exit')) as [number];
  expect(code).to.equal(0);
}

/** As a process sees them that opens the file. */
function pidsOfReaders(path: string): readonly number[] {
  const script =
    'const { open } = require("lmdb"); const db = open({ path: process.argv[1], noSubdir: true, overlappingSync: false });' +
    'console.log(db.readerList())';
  const list = execFileSync(process.execPath, ['-e', script, path], { encoding: 'utf8' });
  return list
    .split('\n')
    .slice(1)
    .map((line) => Number.parseInt(line, 10));
}
