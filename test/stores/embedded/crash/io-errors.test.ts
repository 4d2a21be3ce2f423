import { assert, expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { user } from '../../../contract/records.ts';
import { needs, runs } from '../../../fixtures/available.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';
import { smallDisk } from '../../../fixtures/process/small-disk.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { expectSound, preparedStore } from './crashed-store.ts';
import { runWriter, type WriterOptions, type WriterReport } from './writer-process.ts';

const script = bundled(new URL('./moved-store.main.js', import.meta.url));
const CLIENTS = 4;
const STEPS = 15;

type FailingOptions = Pick<WriterOptions, 'patient' | 'reading'>;

describe('an embedded store whose disk fails', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  async function failing(path: string, inject: string, how: FailingOptions): Promise<WriterReport> {
    const under = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', `inject=${inject}`];
    const report = await runWriter({ path, clients: CLIENTS, steps: STEPS, seed: 1, under, ...how });
    assert(report.closed, 'a failed store can be closed');
    assert(report.acknowledged.length > 0);
    expect(report.acknowledged.length + report.errors.length).to.equal(CLIENTS * STEPS);
    expect([...new Set(report.errors)]).to.deep.equal(['store-unavailable']);
    await expectSound(path, report.acknowledged);
    return report;
  }

  // Counted for each thread, so they fall on pages of records and on the one that makes a commit valid.
  for (const [what, inject] of [
    ['a sync fails once', 'fdatasync:error=EIO:when=4'],
    ['writes fail once', 'pwrite64,writev:error=EIO:when=15'],
    ['the first write of a page fails', 'pwrite64:error=EIO:when=1'],
    ['the second write of a page fails', 'pwrite64:error=EIO:when=2'],
    ['the third write of a page fails', 'pwrite64:error=EIO:when=3'],
    ['the fourth write of a page fails', 'pwrite64:error=EIO:when=4'],
  ] as const) {
    it(`says so, goes on and loses nothing when ${what}`, async function () {
      needs(this, 'strace', runs('strace', '-V'));
      const report = await failing(await preparedStore(folder), inject, { patient: true });
      assert(report.errors.length > 0);
      assert(report.acknowledged.length > report.errors.length, 'later writes succeed');
    });
  }

  // While a read is open, lmdb does not tell that it has become unusable.
  it('is ready again when a commit fails while somebody reads', async function () {
    needs(this, 'strace', runs('strace', '-V'));
    const how = { patient: true, reading: true };
    const report = await failing(await preparedStore(folder), 'pwrite64:error=EIO:when=1', how);
    assert(report.errors.length > 0);
  });

  it('says so, accepts no writes and loses nothing while no write finds room', async function () {
    needs(this, 'strace', runs('strace', '-V'));
    const report = await failing(await preparedStore(folder), 'pwrite64,writev:error=ENOSPC:when=15+', {
      patient: false,
    });
    assert(report.errors.length > CLIENTS, 'later writes fail too');
  });

  it('says so and loses nothing when a disk of 256 KB is full', async function () {
    const mounted = join(folder, 'small');
    mkdirSync(mounted);
    needs(this, 'the right to mount', runs('mount', '-t', 'tmpfs', '-o', 'size=256k', 'espalier-test', mounted));
    try {
      const path = await preparedStore(mounted);
      const report = await runWriter({ path, steps: 60, seed: 1 });
      assert(report.closed);
      expect([...new Set(report.errors)]).to.deep.equal(['store-unavailable']);
      await expectSound(path, report.acknowledged);
    } finally {
      spawnSync('umount', [mounted]);
    }
  });

  it('makes no new store when its file is gone as it is opened anew', async function () {
    needs(this, 'strace', runs('strace', '-V'));
    const outcomes: unknown[] = [];
    // One of them falls on the page that makes a commit valid.
    for (const when of [1, 2, 3]) {
      const path = await preparedStore(folder);
      const away = `${path}.away`;
      const traced = ['-f', '-qq', '-o', '/dev/null', '-P', path, '-P', away];
      const inject = ['-e', `inject=pwrite64:error=EIO:when=${when}`];
      const { stdout } = spawnSync('strace', [...traced, ...inject, process.execPath, script(), path, away]);
      outcomes.push(JSON.parse(stdout.toString()));
    }
    expect(outcomes).to.deep.include({ isUnusable: true, isMade: false });
    expect(outcomes).not.to.deep.include({ isUnusable: true, isMade: true });
  });

  it('says so when its folder was renamed before the disk was full, and goes on when there is room', async function () {
    const disk = smallDisk(this, join(folder, 'renamed'), '2m');
    try {
      const path = join(disk.path, 'before', 'store.db');
      const store = embeddedStore({ path });
      const write = () => outcome(store.write((tx) => tx.users.insert(user())));
      renameSync(dirname(path), join(disk.path, 'after'));
      disk.fill(0);
      const refused = async () => {
        for (let result = 'ok'; result === 'ok'; result = await write());
        return write();
      };
      expect(await refused()).to.equal('store-unavailable');
      expect(await outcome(store.ready())).to.equal('store-unavailable');
      disk.empty();
      while ((await write()) !== 'ok') await nextTurn();
      await store.close();
    } finally {
      disk.unmount();
    }
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
