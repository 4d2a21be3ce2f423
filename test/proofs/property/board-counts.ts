import { expect } from 'chai';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { ListTasks } from '../../../core/task/list/list.ts';
import type { Store } from '../../../core/ports/store.ts';
import { Random } from '../../contract/random.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import type { Place } from './sequence/sequence-state.ts';
import { begin, answered, sequenceEngine, sequencePorts } from './sequence/sequences.ts';
import { SequenceState } from './sequence/sequence-state.ts';
import { nextStep } from './sequence/sequence-steps.ts';

export interface CountedSequences {
  /** A new, empty store. */
  readonly open: () => Promise<Store>;
  readonly sequences: number;
  readonly length: number;
  readonly seed: number;
}

/** Calls between two comparisons. */
const BETWEEN = 25;

/**
 * Runs random sequences, and compares again and again what every user is told of how many tasks there are with the
 * tasks that they are shown.
 */
export async function compareCounts({ open, sequences, length, seed: first }: CountedSequences): Promise<void> {
  for (let seed = first; seed < first + sequences; seed += 1) {
    const store = await open();
    const engine = sequenceEngine(store);
    const state = new SequenceState(new Random(seed));
    const perform = async (step: Parameters<typeof answered>[1]): Promise<unknown> => {
      const answer = await answered(engine, step);
      if (!('value' in answer)) return null;
      step.learn?.(answer.value as never);
      return answer.value;
    };
    try {
      await begin(state, perform);
      for (let n = 1; n <= length; n += 1) {
        await perform(nextStep(state));
        if (n % BETWEEN === 0) await compareAll(engine, state);
      }
      await finishJobs(sequencePorts(store));
      await compareAll(engine, state);
    } catch (error) {
      throw new Error(`Failed with ESPALIER_SEED=${seed}`, { cause: error });
    } finally {
      await store.close();
    }
  }
}

async function compareAll(engine: Engine, { users, workspaces }: SequenceState): Promise<void> {
  for (const userId of users) for (const place of workspaces) await compareOne(engine, userId, place);
}

async function compareOne(engine: Engine, userId: string, place: Place): Promise<void> {
  const call = { caller: { kind: 'user', userId } } as const;
  const at = { workspaceId: place.workspaceId };
  const list = (input: Partial<ListTasks>) => engine.tasks.list(call, { ...at, ...input, limit: 500, count: true });
  try {
    await list({});
  } catch (error) {
    // Who is no member, or no longer.
    if (error instanceof EspalierError && error.code === 'not-found') return;
    throw error;
  }
  for (const { id: boardId } of await engine.boards.list(call, at)) {
    const { statuses } = await engine.boards.get(call, { ...at, boardId });
    const { items: tasks } = await list({ boardId: [boardId] });
    const told = Object.fromEntries(statuses.map(({ id, taskCount }) => [id, taskCount]));
    const shown = statuses.map(({ id }) => [id, tasks.filter(({ statusId }) => statusId === id).length]);
    expect(told).to.deep.equal(Object.fromEntries(shown));
  }
  for (const filter of filtersFor(place)) {
    const { items, total } = await list(filter);
    expect(total, JSON.stringify(filter)).to.equal(items.length);
  }
}

/** One filter each that an index answers, and some that none does. */
function filtersFor({ boards, statuses, tags, members }: Place): Partial<ListTasks>[] {
  const [board, status, tag] = [boards.at(-1)!, statuses.at(-1)!.id, tags.at(-1)?.id ?? 'none'];
  const member = members.at(-1)!;
  return [
    {},
    { boardId: boards },
    { excludeBoardId: [board] },
    { boardId: boards.slice(0, 2), excludeStatusId: [status] },
    { statusId: [status] },
    { assigneeId: ['me'] },
    { assigneeId: [member, 'none'] },
    { assigneeId: members },
    { excludeAssigneeId: [member] },
    { tagId: [tag] },
    { tagId: [tag, 'none'] },
    { excludeTagId: [tag] },
    { updatedSince: '2026-03-01T12:02:00.000Z' },
    { externalId: ['E1', 'E2'] },
    { assigneeId: [member], boardId: boards.slice(0, 2) },
    { complete: true },
  ];
}
