import type { Task } from '../../../core/model/task.ts';
import { type Doc, type DocumentWriter, type Query, queryById, type Write } from '../query/query.ts';
import { ALL_COUNTED } from '../structure/workspace-state.ts';
import type { LayeredMap, Layers } from '../write/identity-map.ts';

export type Place = Pick<Task, 'workspaceId' | 'boardId' | 'statusId'>;

/** By board, then by status. One without tasks may be absent. */
export type StatusCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The counts of a board are a document of `locks`, which every write transaction writes to anyway: so keeping them costs
 * no command. They are written under the lock of the workspace alone.
 */
const PREFIX = 'counts/';
/** The character behind the slash. */
const BEHIND = '0';

/** The document with the counts of a board. */
export function countsId(workspaceId: string, boardId: string): string {
  return `${PREFIX}${workspaceId}/${boardId}`;
}

/** The documents of a workspace. */
export function countsOf(workspaceId: string): { readonly $gte: string; readonly $lt: string } {
  const start = `${PREFIX}${workspaceId}`;
  return { $gte: `${start}/`, $lt: `${start}${BEHIND}` };
}

/** @param boardIds null: all of the workspace */
export function queryCounts(workspaceId: string, boardIds: readonly string[] | null): Query {
  if (boardIds === null) return { from: 'locks', filter: { _id: countsOf(workspaceId) } };
  const ids = boardIds.map((id) => countsId(workspaceId, id));
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0
    ? queryById('locks', id)
    : { from: 'locks', filter: { _id: { $in: ids } } };
}

export function countsIn(docs: readonly Doc[]): Map<string, Map<string, number>> {
  return new Map(
    docs.map(({ _id, tasks = {} }) => [
      _id.slice(_id.lastIndexOf('/') + 1),
      new Map(Object.entries(tasks as Readonly<Record<string, number>>)),
    ]),
  );
}

interface Change {
  readonly place: Place;
  readonly by: number;
}

/** What the writers of one transaction change about the counts of statuses. It is sent with the locks. */
export class CountChanges {
  readonly #changes: LayeredMap<Change>;

  constructor(layers: Layers) {
    this.#changes = layers.map();
  }

  add(place: Place, by: number): void {
    const key = `${place.boardId} ${place.statusId}`;
    this.#changes.set(key, { place, by: (this.#changes.get(key)?.by ?? 0) + by });
  }

  /** Drops what is known of a board: it is removed, with its counts. */
  drop(boardId: string): void {
    for (const [key, { place }] of this.#changes.entries()) {
      if (place.boardId === boardId) this.#changes.set(key, { place, by: 0 });
    }
  }

  /** Counts as they were read, with these changes. */
  applied(stored: Map<string, Map<string, number>>, workspaceId: string): StatusCounts {
    for (const { place, by } of this.#changes.entries().values()) {
      if (place.workspaceId !== workspaceId) continue;
      const counts = stored.get(place.boardId) ?? new Map<string, number>();
      stored.set(place.boardId, counts.set(place.statusId, (counts.get(place.statusId) ?? 0) + by));
    }
    return stored;
  }

  /** One for each board. What comes to nothing is not kept. */
  writes(): Write[] {
    const byBoard = new Map<string, Record<string, unknown>>();
    for (const { place, by } of this.#changes.entries().values()) {
      if (by === 0) continue;
      const id = countsId(place.workspaceId, place.boardId);
      const field = `tasks.${place.statusId}`;
      byBoard.set(id, { ...byBoard.get(id), [field]: sum(`$${field}`, by) });
    }
    return Array.from(byBoard, ([_id, fields]) => ({
      updateOne: { filter: { _id }, update: [{ $set: fields }], upsert: true },
    }));
  }
}

function sum(field: string, by: number) {
  const count = { $add: [{ $ifNull: [field, 0] }, by] };
  return { $let: { vars: { count }, in: { $cond: [{ $eq: ['$$count', 0] }, '$$REMOVE', '$$count'] } } };
}

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
    filter: { workspaceId: { $eq: workspaceId }, num: { $gt: state.countedTo } },
    sort: { num: 1 },
    limit: TASKS_PER_STEP,
    stagesAfter: [GROUPED],
    workspaceId,
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
 * Has workspaces counted that an earlier release has written in, as they are come upon, one after another. Each step is
 * a small write: what a process leaves, the next one goes on with that comes upon the workspace.
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
    // Not in the call that has come upon it.
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (const workspaceId of this.#waiting) {
      // The next call that comes upon the workspace tries again.
      while (await this.#step(workspaceId).catch(() => false));
      this.#waiting.delete(workspaceId);
    }
    this.#running = false;
  }
}
