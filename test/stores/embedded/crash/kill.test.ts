import { assert, expect } from 'chai';
import { Random } from '../../../contract/random.ts';
import { needs, runs } from '../../../fixtures/available.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { expectSound, preparedStore } from './crashed-store.ts';
import { runWriter } from './writer-process.ts';

/** ESPALIER_KILLS: how often a writer is killed at a random moment. */
const KILLS = Number(process.env['ESPALIER_KILLS'] ?? 20);

/** ESPALIER_KILL_POINTS: at how many calls of each kind a writer is killed. */
const KILL_POINTS = Number(process.env['ESPALIER_KILL_POINTS'] ?? 4);

const ENOUGH_STEPS = 100_000;

describe('an embedded store whose writer is killed', function () {
  this.timeout(10_000 + 5_000 * (KILLS + 2 * KILL_POINTS));
  const folder = temporaryFolder();

  it(`keeps all that was acknowledged and no half of anything, ${KILLS} times over`, async () => {
    const path = await preparedStore(folder);
    const random = new Random(Date.now());
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const killAfter = 1 + random.below(120);
      const report = await runWriter({ path, clients: 8, steps: ENOUGH_STEPS, seed: random.below(2 ** 20), killAfter });
      assert(!report.closed);
      expect(report.errors).to.deep.equal([]);
      acknowledged.push(...report.acknowledged);
      await expectSound(path, acknowledged);
    }
  });

  for (const call of ['fdatasync', 'pwrite64']) {
    it(`keeps all that was acknowledged when killed at the nth ${call}`, async function () {
      needs(this, 'strace', runs('strace', '-V'));
      for (let point = 0; point < KILL_POINTS; point += 1) {
        const path = await preparedStore(folder);
        const when = call === 'fdatasync' ? 1 + point : 1 + point * 7;
        const inject = ['-e', `inject=${call}:signal=SIGKILL:when=${when}`];
        const under = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, ...inject];
        const report = await runWriter({ path, steps: ENOUGH_STEPS, seed: point, under });
        assert(!report.closed);
        await expectSound(path, report.acknowledged);
      }
    });
  }
});
