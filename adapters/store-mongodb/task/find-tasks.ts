import {
  asSeen,
  compareSortValues,
  isByColumn,
  type SeenTask,
  sortValues,
  type TaskQuery,
} from '../../../core/model/task-query.ts';
import type { DocumentReader, Query } from '../query/query.ts';
import { fromTaskDoc, TASK_EXTRAS } from '../query/documents.ts';
import { queryByColumn } from './column-query.ts';
import { tasksAlone, visibleTasks } from './task-filter.ts';
import { querySorted } from './task-sort.ts';

/**
 * Two queries in one round trip: up to `limit` tasks of visible boards in order, and all tasks that are visible
 * through their own page alone. The first of both together are found.
 */
export async function findTasks(documents: DocumentReader, query: TaskQuery): Promise<readonly SeenTask[]> {
  const { workspaceId, scope, limit } = query;
  if (limit <= 0) return [];
  const queries: Query[] = [];
  const visible = queryVisible(query);
  if (visible !== null) queries.push(visible);
  const alone = tasksAlone(query);
  if (alone !== null) queries.push({ from: 'tasks', filter: alone, project: TASK_EXTRAS, workspaceId });
  const answers = await Promise.all(queries.map((query) => documents.query(query)));
  const found = answers.flat().map((doc) => asSeen(fromTaskDoc(doc), scope));
  if (alone === null) return found;
  return found
    .map((task) => ({ task, values: sortValues(task, query) }))
    .filter(({ values }) => query.after === null || compareSortValues(values, query.after, query.sort) > 0)
    .sort((a, b) => compareSortValues(a.values, b.values, query.sort))
    .slice(0, limit)
    .map(({ task }) => task);
}

function queryVisible(query: TaskQuery): Query | null {
  const filter = visibleTasks(query);
  if (filter === null) return null;
  return isByColumn(query) ? queryByColumn(query, filter) : querySorted(query, filter);
}
