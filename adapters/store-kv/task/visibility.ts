import {
  asSeen,
  compareSortValues,
  inScope,
  matches,
  type SeenTask,
  sortValues,
  type TaskQuery,
} from '../../../core/model/task-query.ts';
import type { Task } from '../../../core/model/task.ts';

/** The task as it is seen, or null when it is not in scope or does not match. */
export function see(task: Task, { scope, filters }: Pick<TaskQuery, 'scope' | 'filters'>): SeenTask | null {
  if (scope !== null && !inScope(task, scope)) return null;
  const seen = asSeen(task, scope);
  return matches(seen, filters) ? seen : null;
}

/** In the order of the query, which sorts tasks as they are seen. */
export function asAsked(tasks: readonly Task[], query: TaskQuery): Task[] {
  return tasks
    .map((task) => ({ task, values: sortValues(asSeen(task, query.scope), query) }))
    .sort((a, b) => compareSortValues(a.values, b.values, query.sort))
    .map(({ task }) => task);
}
