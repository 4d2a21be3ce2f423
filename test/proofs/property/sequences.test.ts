import { assert, expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../core/engine.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { compareStores, runSequence, sequenceEngine, sequencePorts } from './sequence/sequences.ts';
import { watchAccess } from './follow/watch-access.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_SEQUENCES'] ?? 30);
const SEED = firstSeed();

describe('random sequences', function () {
  this.timeout(0);

  it('come to the same on every run', async () => {
    await compareStores({
      reference: async () => memoryStore(),
      candidate: async () => memoryStore(),
      sequences: Math.ceil(SEQUENCES / 10),
      length: 150,
      seed: SEED,
    });
  });

  it('reach what they are made for', async () => {
    const done = new Set<string>();
    for (let seed = 1; seed <= 60; seed += 1) {
      const lines = await runSequence(sequenceEngine(memoryStore()), seed, 150);
      for (const line of lines) if (line.includes('-> {"value"')) done.add(line.slice(0, line.indexOf(' ')));
    }
    for (const verb of [
      'pages.delete',
      'statuses.delete',
      'tasks.update',
      'access.preview',
      'members.remove',
      'comments.update',
      'tasks.addTag',
      'boards.delete',
      'access.revoke',
    ]) {
      assert(done.has(verb), verb);
    }
    assert(done.size > 45, [...done].join(' '));
  });

  it('betray nothing hidden, raise nobody’s access by own actions, and break no invariant', async () => {
    for (let seed = SEED; seed < SEED + SEQUENCES; seed += 1) {
      const store = memoryStore();
      const engine = sequenceEngine(store);
      try {
        await runSequence(engine, seed, 150, watchAccess(store));
        const doctor = createEngine(sequencePorts(store)).doctor;
        expect((await doctor.check({ caller: { kind: 'operator' } })).findings).to.deep.equal([]);
        await finishJobs(sequencePorts(store));
        expect((await doctor.check({ caller: { kind: 'operator' } })).findings).to.deep.equal([]);
      } catch (error) {
        throw new Error(`Failed with ESPALIER_SEED=${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
});
