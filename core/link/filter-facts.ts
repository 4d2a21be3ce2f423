import type { Viewer } from '../access/viewer.ts';
import { EspalierError } from '../kernel/errors.ts';
import { seenTaskSlices } from '../task/stored-tasks.ts';
import { linkedAs } from '../model/content/task-links.ts';
import type { TaskFilter, TaskScope } from '../model/content/task-query.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { type FilterFacts, filtersOf, type TaskFilters } from '../task/list/filters.ts';
import { seenAmong } from './view.ts';

/** Tasks that are read at once. */
const CHUNK = 250;

/** The most tasks that a filter by `blocked` examines. A store behind a network is sent the ids of those it finds. */
const MAX_BLOCKED = 10_000;

/** Tasks that are linked as blocked by others, seen or not. */
const HAS_BLOCKERS: TaskFilter = { ids: new Set(), orWithout: 'blockedBy', not: true };

/** Whether filters ask for links, which takes reads. */
export function asksForLinks(input: TaskFilters): boolean {
  return asksForBlocked(input) || asksForNamed(input);
}

function asksForBlocked({ blocked, excludeBlocked }: TaskFilters): boolean {
  return blocked !== undefined || excludeBlocked !== undefined;
}

function asksForNamed(input: TaskFilters): boolean {
  return NAMING.some((name) => input[name] !== undefined);
}

/** Filters that name tasks. */
const NAMING = ['parentTaskId', 'excludeParentTaskId', 'linkedTo', 'excludeLinkedTo'] as const;

/** What filters by links need to know. Absent: they were not asked for. */
export async function linkFacts(
  tx: ReadTransaction,
  viewer: Viewer,
  scope: TaskScope,
  input: TaskFilters,
  facts: FilterFacts,
): Promise<FilterFacts> {
  const named = asksForNamed(input) ? await namedTasks(tx, viewer, input) : facts.named;
  if (!asksForBlocked(input)) return { ...facts, named };
  const { blocked: _, excludeBlocked: __, ...others } = input;
  return { ...facts, named, blocked: await blockedAmong(tx, viewer, scope, filtersOf(others, { ...facts, named })) };
}

/** The named tasks that the viewer sees. O(tasks named). */
function namedTasks(tx: ReadTransaction, viewer: Viewer, input: TaskFilters): Promise<ReadonlyMap<string, Task>> {
  const ids = NAMING.flatMap((name) => input[name] ?? []);
  return seenAmong(
    tx,
    viewer,
    ids.filter((id) => id !== 'none'),
  );
}

/**
 * The ids of the tasks that match the other filters and are blocked by an incomplete task which the viewer sees. O(tasks
 * among them that are linked as blocked, and their links), in steps.
 *
 * @throws `too-many` if more than 10,000 are linked so
 */
async function blockedAmong(
  tx: ReadTransaction,
  viewer: Viewer,
  scope: TaskScope,
  others: readonly TaskFilter[],
): Promise<ReadonlySet<string>> {
  const workspaceId = viewer.structure.workspace.id;
  const filters = [HAS_BLOCKERS, ...others];
  const blocked = new Set<string>();
  let visited = 0;
  for await (const tasks of seenTaskSlices(tx, { workspaceId, scope, filters }, CHUNK)) {
    visited += tasks.length;
    if (visited > MAX_BLOCKED) {
      const detail = `More than ${MAX_BLOCKED} tasks are linked as blocked: narrow the filter.`;
      throw new EspalierError('too-many', detail);
    }
    const blockers = await seenAmong(
      tx,
      viewer,
      tasks.flatMap((task) => linkedAs(task, 'blockedBy')),
    );
    for (const task of tasks) {
      if (linkedAs(task, 'blockedBy').some((id) => blockers.get(id)?.complete === false)) blocked.add(task.id);
    }
  }
  return blocked;
}
