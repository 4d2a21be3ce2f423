import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../core/engine.ts';
import { forSeeds, Random } from '../../contract/random.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';
import { askedOverHttp, CanaryReader } from './canary-readers.ts';
import { Canaries, furtherStep, withCanaries } from './canary-steps.ts';
import { answered, runSequence, sequenceEngine, sequencePorts, type Watch } from './sequences.ts';

/** ESPALIER_CANARIES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_CANARIES'] ?? 4);
const LENGTH = 100;

/**
 * Has everybody read the changes of random writes from every cursor that they ever got: in lists, with long polls and in
 * streams, asking a process that knows the structures of before, and one that does not.
 */
async function readByAll(seed: number): Promise<void> {
  const store = memoryStore();
  const timers = new ManualTimers();
  const random = new Random(seed + 1);
  const canaries = new Canaries();
  const engine = withCanaries(sequenceEngine(store, timers), canaries);
  const readers = new Map<string, CanaryReader>();
  const ask = askedOverHttp(engine);
  const users = new Set<string>();
  const membersOf = new Map<string, Set<string>>();
  const restarted = () => createEngine(sequencePorts(store));
  const lookAll = async () => {
    await finishJobs(sequencePorts(store));
    // What waits reads now.
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    for (const reader of readers.values()) await reader.look();
  };
  const watch: Watch = async (step, run) => {
    const answer = await run();
    if (step.userId !== null) users.add(step.userId);
    if ('value' in answer && `${step.noun}.${step.verb}` === 'workspaces.create') {
      const { id, memberId } = answer.value as { readonly id: string; readonly memberId: string };
      membersOf.set(id, new Set([memberId]));
    }
    for (const userId of users) {
      for (const workspaceId of membersOf.keys()) {
        const key = `${userId} ${workspaceId}`;
        if (!readers.has(key)) readers.set(key, new CanaryReader(store, ask, userId, workspaceId));
      }
    }
    if (['list', 'get', 'history', 'explain', 'preview'].includes(step.verb)) return answer;
    await lookAll();
    if (membersOf.size > 0 && random.once(6)) {
      const workspaceId = random.pick([...membersOf.keys()]);
      const members = await store.read(async (tx) => [...(await tx.structures.get(workspaceId))!.members()]);
      const ids = members.map(({ id }) => id);
      await answered(engine, furtherStep(random, canaries, random.pick([...users]), workspaceId, ids));
      await lookAll();
    }
    if (readers.size === 0) return answer;
    const reader = random.pick([...readers.values()]);
    await reader.followSome(random.once(3) ? restarted() : engine, random);
    return answer;
  };
  await runSequence(engine, seed, LENGTH, watch);
  const later = restarted();
  for (const reader of readers.values()) {
    await reader.followAll(engine);
    await reader.followAll(later);
    await reader.end();
  }
  await store.close();
}

describe('changes', function () {
  this.timeout(0);

  it('hold no id, name, text or count of what their reader may not see', () =>
    forSeeds(SEQUENCES, (_, seed) => readByAll(seed)));
});
