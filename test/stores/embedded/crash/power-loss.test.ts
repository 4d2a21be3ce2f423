import { assert, expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../../../contract/random.ts';
import { needs, runs } from '../../../fixtures/available.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { expectSound, preparedStore, problemsOf } from './crashed-store.ts';
import { runWriter, type WriterReport } from './writer-process.ts';

/** ESPALIER_POWER_CUTS: how often the power is cut at a random moment. */
const POWER_CUTS = Number(process.env['ESPALIER_POWER_CUTS'] ?? 5);

const SOURCE = fileURLToPath(new URL('../../../../../test/stores/embedded/crash/power-loss.c', import.meta.url));

describe('an embedded store that loses power', function () {
  this.timeout(10_000 + 5_000 * POWER_CUTS);
  const folder = temporaryFolder();
  const shim = join(folder, 'power-loss.so');

  function build(test: Mocha.Context): void {
    needs(test, 'a C compiler for Linux', process.platform === 'linux' && runs('cc', '--version'));
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, SOURCE, '-ldl', '-lpthread'], {
      encoding: 'utf8',
    });
    expect(built.status, built.stderr).to.equal(0);
  }

  /** Kills a writer, forgets what was not synced, and starts the lock file anew, as after a boot. */
  async function cutPower(random: Random, durable: boolean): Promise<WriterReport & { readonly disk: string }> {
    const path = await preparedStore(folder);
    copyFileSync(path, `${path}.disk`);
    const env = { LD_PRELOAD: shim, POWER_LOSS_FILE: path };
    const killAfter = 20 + random.below(100);
    const report = await runWriter({ path, steps: 100_000, seed: random.below(2 ** 20), durable, env, killAfter });
    assert(report.acknowledged.length >= 20);
    return { ...report, disk: `${path}.disk` };
  }

  it(`keeps all that was acknowledged, ${POWER_CUTS} times over`, async function () {
    build(this);
    const random = new Random(Date.now());
    for (let round = 0; round < POWER_CUTS; round += 1) {
      const { disk, acknowledged } = await cutPower(random, true);
      await expectSound(disk, acknowledged);
    }
  });

  it('would be seen to lose what was acknowledged if it did not sync', async function () {
    build(this);
    const { disk, acknowledged } = await cutPower(new Random(1), false);
    expect(await problemsOf(disk, acknowledged)).to.not.deep.equal([]);
  });
});
