import { compareSortValues, type SeenTask, sortValues, type SortValue, type TaskQuery } from '../../core/task/query.ts';
import type { Task } from '../../core/task/task.ts';
import { inOrder } from './task-order.ts';
import type { TaskReader } from './task-reader.ts';
import { see } from './task-seen.ts';
import { idsOf, isSmall, narrowest, sources, type TaskSource } from './task-source.ts';

/**
 * Reads in index order from behind `after` until `limit` tasks are found, when an index has the order or
 * can be made to. Otherwise reads the narrowest source whole and keeps the first `limit`.
 */
export function findTasks(reader: TaskReader, query: TaskQuery): readonly SeenTask[] {
  if (query.limit <= 0) return [];
  const all = sources(reader, query);
  const best = narrowest(reader, all);
  const ordered =
    inOrder(reader, query, best) ?? (isSmall(reader, best, query.limit) ? null : inAnyOrderOf(reader, query, all));
  return ordered === null ? firstOf(reader, query, best) : takeFrom(ordered, query);
}

/** The tasks of a source, each once, in no order. */
export function* unordered(reader: TaskReader, source: TaskSource): IterableIterator<Task> {
  const several = source.ranges.length > 1 || source.alone.length > 0;
  const seen = several ? new Set<string>() : null;
  for (const id of idsOf(reader, source)) {
    if (seen?.has(id) === true) continue;
    seen?.add(id);
    const task = reader.task(id);
    if (task !== undefined) yield task;
  }
}

function inAnyOrderOf(reader: TaskReader, query: TaskQuery, all: readonly TaskSource[]): Iterable<Task> | null {
  for (const source of all) {
    const ordered = inOrder(reader, query, source);
    if (ordered !== null) return ordered;
  }
  return null;
}

function takeFrom(tasks: Iterable<Task>, query: TaskQuery): readonly SeenTask[] {
  const found: SeenTask[] = [];
  for (const task of tasks) {
    const seen = see(task, query);
    if (seen === null) continue;
    if (query.after !== null && !isBehind(sortValues(seen, query), query)) continue;
    found.push(seen);
    if (found.length >= query.limit) break;
  }
  return found;
}

interface Candidate {
  readonly task: SeenTask;
  readonly values: readonly SortValue[];
}

function firstOf(reader: TaskReader, query: TaskQuery, source: TaskSource): readonly SeenTask[] {
  const bySort = (a: Candidate, b: Candidate): number => compareSortValues(a.values, b.values, query.sort);
  const room = query.limit * 2 + 1000;
  let kept: Candidate[] = [];
  let worst: Candidate | null = null;
  for (const task of unordered(reader, source)) {
    const seen = see(task, query);
    if (seen === null) continue;
    const candidate: Candidate = { task: seen, values: sortValues(seen, query) };
    if (!isBehind(candidate.values, query) || (worst !== null && bySort(candidate, worst) >= 0)) continue;
    kept.push(candidate);
    if (kept.length >= room) {
      kept = kept.sort(bySort).slice(0, query.limit);
      worst = kept.at(-1) ?? null;
    }
  }
  return kept
    .sort(bySort)
    .slice(0, query.limit)
    .map(({ task }) => task);
}

function isBehind(values: readonly SortValue[], { after, sort }: TaskQuery): boolean {
  return after === null || compareSortValues(values, after, sort) > 0;
}
