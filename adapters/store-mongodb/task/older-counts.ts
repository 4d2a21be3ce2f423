import type { DocumentWriter } from '../query/document-writer.ts';
import { ALL_COUNTED } from '../structure/workspace-state.ts';
import { countsOf, type Place } from './status-counts.ts';

/** Some milliseconds of the server's time, in which the workspace is locked. */
const TASKS_PER_STEP = 1_000;

/**
 * One step of counting the tasks of a workspace by status, in the order of their numbers. To be run in a write.
 *
 * @returns whether any are left
 */
export async function countOlderTasks(documents: DocumentWriter, workspaceId: string): Promise<boolean> {
  const state = await documents.workspaceState(workspaceId);
  if (state === null || state.countedTo === ALL_COUNTED) return false;
  if (state.countedTo === null) {
    // What was counted before others wrote without counting does not hold.
    const gone = { deleteMany: { filter: { _id: countsOf(workspaceId) } } };
    await documents.writeUnindexed('locks', gone, workspaceId);
    await documents.setWorkspaceState(workspaceId, { ...state, countedTo: 0 });
    return true;
  }
  const groups = await documents.query({
    from: 'tasks',
    workspaceId,
    filter: { num: { $gt: state.countedTo } },
    sort: { num: 1 },
    limit: TASKS_PER_STEP,
    stagesAfter: [GROUPED],
  });
  let [tasks, last] = [0, state.countedTo];
  for (const doc of groups) {
    const { place, count, num } = doc as unknown as Group;
    await documents.changeCount({ workspaceId, ...place }, count);
    tasks += count;
    last = Math.max(last, num);
  }
  const isMore = tasks === TASKS_PER_STEP;
  await documents.setWorkspaceState(workspaceId, { ...state, countedTo: isMore ? last : ALL_COUNTED });
  return isMore;
}

interface Group {
  readonly place: Pick<Place, 'boardId' | 'statusId'>;
  readonly count: number;
  readonly num: number;
}

const GROUPED = {
  $group: {
    _id: { $concat: ['$boardId', ' ', '$statusId'] },
    place: { $first: { boardId: '$boardId', statusId: '$statusId' } },
    count: { $sum: 1 },
    num: { $max: '$num' },
  },
} as const;

/**
 * Counts the tasks of workspaces that an earlier release has written in, when they are accessed, one after another.
 * Each step is a small write: another process that accesses the workspace continues where this one stopped.
 */
export class OlderCounts {
  readonly #step: (workspaceId: string) => Promise<boolean>;
  readonly #waiting = new Set<string>();
  #running = false;

  constructor(step: (workspaceId: string) => Promise<boolean>) {
    this.#step = step;
  }

  request(workspaceId: string): void {
    this.#waiting.add(workspaceId);
    if (this.#running) return;
    this.#running = true;
    // Not in the call that has found it uncounted.
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (const workspaceId of this.#waiting) {
      // The next call that accesses the workspace tries again.
      while (await this.#step(workspaceId).catch(() => false));
      this.#waiting.delete(workspaceId);
    }
    this.#running = false;
  }
}
