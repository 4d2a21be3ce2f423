import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { needs, runs } from '../../support/available.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { expectSound, preparedStore } from './crashed-store.ts';
import { runWriter } from './writer-process.ts';

const CLIENTS = 4;
const STEPS = 15;

describe('an embedded store whose disk fails', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();

  for (const [what, inject] of [
    ['a sync fails once', 'fdatasync:error=EIO:when=4'],
    ['writes fail once', 'pwrite64,writev:error=EIO:when=15'],
    ['no write finds room', 'pwrite64,writev:error=ENOSPC:when=15+'],
  ] as const) {
    it(`says so, accepts no more writes and loses nothing when ${what}`, async function () {
      needs(this, 'strace', runs('strace', '-V'));
      const path = await preparedStore(folder);
      const under = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', `inject=${inject}`];
      const report = await runWriter({ path, clients: CLIENTS, steps: STEPS, seed: 1, under });
      assert(report.closed, 'a failed store can be closed');
      assert(report.acknowledged.length > 0);
      assert(report.errors.length > CLIENTS, 'later writes fail too');
      assert.equal(report.acknowledged.length + report.errors.length, CLIENTS * STEPS);
      assert.deepEqual([...new Set(report.errors)], ['store-unavailable']);
      await expectSound(path, report.acknowledged);
    });
  }

  it('says so and loses nothing when a disk of 256 KB is full', async function () {
    const mounted = join(folder, 'small');
    mkdirSync(mounted);
    needs(this, 'the right to mount', runs('mount', '-t', 'tmpfs', '-o', 'size=256k', 'espalier-test', mounted));
    try {
      const path = await preparedStore(mounted);
      const report = await runWriter({ path, steps: 60, seed: 1 });
      assert(report.closed);
      assert.deepEqual([...new Set(report.errors)], ['store-unavailable']);
      await expectSound(path, report.acknowledged);
    } finally {
      spawnSync('umount', [mounted]);
    }
  });
});
