import {
  asSeen,
  compareSortValues,
  isByColumn,
  type SeenTask,
  sortValues,
  type TaskQuery,
} from '../../core/model/task-query.ts';
import type { Access, Ask } from './access.ts';
import { fromTaskDoc, TASK_EXTRAS } from './documents.ts';
import { askByColumn } from './task-columns.ts';
import { tasksAlone, visibleTasks } from './task-filter.ts';
import { askSorted } from './task-sort.ts';

/**
 * Two questions in one round trip: for tasks of visible boards, in order and only so many, and for all that
 * are seen alone. What comes first of both is found.
 */
export async function findTasks(access: Access, query: TaskQuery): Promise<readonly SeenTask[]> {
  const { workspaceId, scope, limit } = query;
  if (limit <= 0) return [];
  const asks: Ask[] = [];
  const visible = visibleAsk(query);
  if (visible !== null) asks.push(visible);
  const alone = tasksAlone(query);
  if (alone !== null) asks.push({ from: 'tasks', filter: alone, project: TASK_EXTRAS, workspaceId });
  const answers = await Promise.all(asks.map((ask) => access.ask(ask)));
  const found = answers.flat().map((doc) => asSeen(fromTaskDoc(doc), scope));
  if (alone === null) return found;
  return found
    .map((task) => ({ task, values: sortValues(task, query) }))
    .filter(({ values }) => query.after === null || compareSortValues(values, query.after, query.sort) > 0)
    .sort((a, b) => compareSortValues(a.values, b.values, query.sort))
    .slice(0, limit)
    .map(({ task }) => task);
}

export async function countTasks(
  access: Access,
  query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>,
): Promise<number> {
  const { workspaceId } = query;
  const filters = [visibleTasks(query), tasksAlone(query)].filter((filter) => filter !== null);
  const finish = [{ $group: { _id: null, count: { $sum: 1 } } }];
  const counts = await Promise.all(
    filters.map(async (filter) => {
      const [found] = await access.ask({ from: 'tasks', filter, finish, workspaceId });
      return (found?.['count'] as number | undefined) ?? 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function visibleAsk(query: TaskQuery): Ask | null {
  const filter = visibleTasks(query);
  if (filter === null) return null;
  return isByColumn(query) ? askByColumn(query, filter) : askSorted(query, filter);
}
