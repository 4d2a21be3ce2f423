import {
  asSeen,
  compareSortValues,
  compileFilters,
  inScope,
  type SeenTask,
  type SortKey,
  sortValues,
  type SortValue,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { sorted, type Steps } from '../engine/sort-in-steps.ts';
import type { TaskReader } from './reader.ts';

/**
 * Maps a task to the form in which the caller sees it, or to null if it is not in scope or does not match. Created once
 * per query.
 */
export type Visibility = (task: Task) => SeenTask | null;

export function visibilityFor({ scope, filters }: Pick<TaskQuery, 'scope' | 'filters'>): Visibility {
  const matches = compileFilters(filters);
  return (task) => {
    if (scope !== null && !inScope(task, scope)) return null;
    const seen = asSeen(task, scope);
    return matches(seen) ? seen : null;
  };
}

/** The number of characters that are searched in the time of another filter. */
const CHARACTERS = 1_000;

/** The cost of testing a task, in units of a `Yielder`. */
export function workOf({ filters }: Pick<TaskQuery, 'filters'>): (task: Task) => number {
  const texts = filters.filter((filter) => 'text' in filter).length;
  if (texts === 0) return () => 1;
  return ({ title, description }) => 1 + (texts * (title.length + description.length)) / CHARACTERS;
}

/** Sorts tasks in the order of the query, which compares them as seen by the caller. */
export function* inQueryOrder(tasks: Iterable<Task | undefined>, query: TaskQuery): Steps<Task> {
  for (const { task } of yield* sortedByQuery(tasks, query)) yield task;
}

/** A task with the values by which it is sorted. */
interface Sorted {
  readonly task: Task;
  readonly values: readonly SortValue[];
}

function sortedByQuery(
  tasks: Iterable<Task | undefined>,
  query: TaskQuery,
): Generator<undefined, IterableIterator<Sorted>> {
  return sorted(withValues(tasks, query), (a, b) => compareSortValues(a.values, b.values, query.sort));
}

function* withValues(tasks: Iterable<Task | undefined>, query: TaskQuery): Steps<Sorted> {
  for (const task of tasks) yield task && { task, values: sortValues(asSeen(task, query.scope), query) };
}

/**
 * The tasks that are visible without their board, from about `after` on, in the order of a query by column. Where only
 * their ids tell them apart, these are sorted, and the tasks are read lazily.
 */
export function* tasksWithoutBoard(reader: TaskReader, query: TaskQuery): Steps<Task> {
  const behindColumn = query.sort[IN_COLUMN] as SortKey;
  if (behindColumn.field !== 'id') {
    for (const { task } of yield* sortedWithoutBoard(reader, query)) yield task;
    return;
  }
  const byId = (a: SortValue, b: SortValue): number => compareSortValues([a], [b], [behindColumn]);
  for (const id of yield* sorted(idsBehind(query, byId), byId)) yield reader.byId(id);
}

/** The number of sort keys by which a query by column compares places. */
const IN_COLUMN = 3;

function* idsBehind({ scope, after }: TaskQuery, byId: (a: SortValue, b: SortValue) => number): Steps<string> {
  const isAmongThem = after !== null && after.slice(0, IN_COLUMN).every((value) => value === null);
  for (const id of scope?.withoutBoard ?? []) {
    yield isAmongThem && byId(id, after[IN_COLUMN] as SortValue) <= 0 ? undefined : id;
  }
}

/** All tasks that are visible without their board, in the order of the query. The steps before the first are separate. */
export function sortedWithoutBoard(
  reader: TaskReader,
  query: TaskQuery,
): Generator<undefined, IterableIterator<Sorted>> {
  return sortedByQuery(tasksById(reader, query.scope?.withoutBoard ?? []), query);
}

function* tasksById(reader: TaskReader, ids: Iterable<string>): Steps<Task> {
  for (const id of ids) yield reader.byId(id);
}
