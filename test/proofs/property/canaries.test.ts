import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { createEngine } from '../../../core/engine.ts';
import { forSeeds, Random } from '../../contract/random.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';
import { askedOverHttp, CanaryReader } from './canary/canary-readers.ts';
import { Canaries, furtherStep, type Present, withCanaries } from './canary/canary-steps.ts';
import { answered, runSequence, sequenceEngine, sequencePorts, type Watch } from './sequence/sequences.ts';

/** ESPALIER_CANARIES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_CANARIES'] ?? 2);
const LENGTH = 80;

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
  const workspaces = new Set<string>();
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
      workspaces.add((answer.value as { readonly id: string }).id);
    }
    for (const userId of users) {
      for (const workspaceId of workspaces) {
        const key = `${userId} ${workspaceId}`;
        if (!readers.has(key)) readers.set(key, new CanaryReader(store, ask, userId, workspaceId));
      }
    }
    if (['list', 'get', 'history', 'explain', 'preview'].includes(step.verb)) return answer;
    await lookAll();
    if (workspaces.size > 0 && random.once(2)) {
      const present = await presentIn(store, random.pick([...workspaces]));
      await answered(engine, furtherStep(random, canaries, random.pick([...users]), present));
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

async function presentIn(store: Store, workspaceId: string): Promise<Present> {
  return store.read(async (tx) => {
    const structure = (await tx.structures.get(workspaceId))!;
    const members = [...structure.members()];
    const pages = [...structure.pages()];
    const boardIds = pages.filter(({ type }) => type === 'board').map(({ id }) => id);
    const filters = [{ field: 'boardId', in: boardIds }] as const;
    const sort = [{ field: 'id', descending: false }] as const;
    const tasks = await tx.tasks.find({ workspaceId, scope: null, filters, sort, after: null, limit: 1_000 });
    return {
      workspaceId,
      memberIds: members.map(({ id }) => id),
      ownerId: members.find(({ role, active }) => role === 40 && active)!.userId,
      pageIds: pages.map(({ id }) => id),
      boardIds,
      taskIds: tasks.map(({ id }) => id),
    };
  });
}

describe('changes', function () {
  this.timeout(0);

  it('hold no id, name, text or count of what their reader may not see', () =>
    forSeeds(SEQUENCES, (_, seed) => readByAll(seed)));
});
