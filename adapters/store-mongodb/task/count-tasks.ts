import type { DocumentReader, DocumentWriter } from '../query/document-writer.ts';
import { type Doc, allOf } from '../query/query.ts';
import type { Filter } from 'mongodb';
import {
  compileFilters,
  type SeenTask,
  type TaskFilter,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import { ALL_COUNTED } from '../write/workspace-locks.ts';
import { boardsOf, conditionOf, indexedValues, withoutBoardFilter, visibleTasks } from './task-query.ts';
import { type Place, countsOf } from './status-counts.ts';

type Wanted = Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>;
type Scoped = Wanted & { readonly scope: NonNullable<TaskQuery['scope']> };

/**
 * Without filters, and with those for boards and statuses alone, told from the counts of statuses; by one filter that
 * has an index, from that, where every board with tasks is in scope. Otherwise the server looks at the tasks.
 */
export async function countTasks(
  documents: DocumentReader,
  query: Wanted,
  onUncounted: (workspaceId: string) => void,
): Promise<number> {
  const { workspaceId, scope, filters } = query;
  if (scope !== null) {
    const [filter, ...others] = filters;
    const isOfPlaces = filters.every(isPlace);
    const isIndexed = !isOfPlaces && others.length === 0 && hasIndex(filter!);
    if (isOfPlaces || isIndexed) {
      const scoped = { ...query, scope };
      const [counted, own] = await Promise.all([
        isOfPlaces ? countPlaces(documents, scoped) : countByIndex(documents, scoped, filter!),
        countOfOwnPages(documents, scoped),
      ]);
      if (typeof counted === 'number') return counted + own;
      if (counted === 'uncounted') onUncounted(workspaceId);
    }
  }
  const wanted = [visibleTasks(query), withoutBoardFilter(query)].filter((each) => each !== null);
  const counts = await Promise.all(wanted.map((each) => countFound(documents, workspaceId, each)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function isPlace(filter: TaskFilter): boolean {
  return 'in' in filter && (filter.field === 'boardId' || filter.field === 'statusId');
}

function hasIndex(filter: TaskFilter): boolean {
  if ('anyMetadata' in filter) return filter.not !== true && indexedValues(filter) !== null;
  if (!('in' in filter)) return 'field' in filter && filter.field === 'updatedAt';
  return (filter.field === 'assignees' || filter.field === 'tags') && filter.not !== true && !filter.in.includes(null);
}

/** The tasks on the boards in scope that match filters for boards and statuses, from the counts of these. */
async function countPlaces(documents: DocumentReader, query: Scoped): Promise<number | 'uncounted'> {
  const { workspaceId, scope, filters } = query;
  const boards = boardsOf(scope.boards, filters);
  if (boards.length === 0) return 0;
  const [{ countedTo }, counts] = await Promise.all([
    documents.counters(workspaceId),
    documents.statusCounts(workspaceId, boards),
  ]);
  if (countedTo !== ALL_COUNTED) return 'uncounted';
  const matches = compileFilters(filters);
  let count = 0;
  for (const [boardId, ofBoard] of counts) {
    for (const [statusId, tasks] of ofBoard) if (matches({ boardId, statusId } as SeenTask)) count += tasks;
  }
  return count;
}

/** The tasks that match a filter, from its index. Null where some of them may be out of sight. */
async function countByIndex(
  documents: DocumentReader,
  { workspaceId, scope }: Scoped,
  filter: TaskFilter,
): Promise<number | 'uncounted' | null> {
  const [{ countedTo }, counts] = await Promise.all([
    documents.counters(workspaceId),
    documents.statusCounts(workspaceId, null),
  ]);
  if (countedTo !== ALL_COUNTED) return 'uncounted';
  for (const [boardId, ofBoard] of counts) {
    if (!scope.boards.has(boardId) && [...ofBoard.values()].some((tasks) => tasks > 0)) return null;
  }
  return countFound(documents, workspaceId, conditionOf(filter));
}

/** What tasks with pages of their own add to what is counted on the boards in scope, or take from it. */
async function countOfOwnPages(documents: DocumentReader, query: Scoped): Promise<number> {
  const { workspaceId, scope } = query;
  const visible = scope.hidden.size === 0 ? null : visibleTasks({ ...query, scope: { ...scope, hidden: new Set() } });
  const hidden = visible === null ? null : allOf([visible, { _id: { $in: [...scope.hidden] } }]);
  const count = async (filter: Filter<Doc> | null) =>
    filter === null ? 0 : countFound(documents, workspaceId, filter);
  const [less, more] = await Promise.all([count(hidden), count(withoutBoardFilter(query))]);
  return more - less;
}

async function countFound(documents: DocumentReader, workspaceId: string, filter: Filter<Doc>): Promise<number> {
  const stagesAfter = [{ $group: { _id: null, count: { $sum: 1 } } }];
  const [found] = await documents.query({ from: 'tasks', workspaceId, filter, stagesAfter });
  return (found?.['count'] as number | undefined) ?? 0;
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
