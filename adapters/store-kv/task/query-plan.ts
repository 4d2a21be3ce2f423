import {
  compareSortValues,
  type SeenTask,
  sortValues,
  type SortValue,
  type TaskQuery,
} from '../../../core/model/task-query.ts';
import type { Task } from '../../../core/model/task.ts';
import { scan } from '../engine/kv.ts';
import { inOrder, sortedByNum } from './ordered-scan.ts';
import type { TaskReader } from './reader.ts';
import { see } from './visibility.ts';
import { Yielder } from '../engine/yield.ts';
import { isSmall, mostSelective, sources, type AccessPath } from './access-path.ts';

/**
 * Reads in index order from behind `after` until `limit` tasks are found, when an index has the order or
 * can be made to. Otherwise reads the most selective access path whole and keeps the first `limit`.
 */
export async function findTasks(reader: TaskReader, query: TaskQuery): Promise<readonly SeenTask[]> {
  if (query.limit <= 0) return [];
  const all = sources(reader, query);
  const best = mostSelective(reader, all);
  const found: SeenTask[] = [];
  const turns = new Yielder();
  const ordered = inOrder(reader, query, best);
  if (ordered !== null) {
    await takeFrom(ordered[Symbol.iterator](), query, found, Infinity, turns);
    return found;
  }
  const others = inAnyOrderOf(reader, query, all)?.[Symbol.iterator]();
  // Which of the two ways is shorter cannot be known: the one in order is given up when it has looked at about
  // as much as there is to read whole. So neither costs more than a few times the other.
  if (others === undefined) return firstOf(reader, query, best, turns);
  if (query.sort[0]?.field === 'num' && best.alone.length === 0) {
    if (await takeFrom(others, query, found, FIRST, turns)) return found;
    const sorted = sortedByNum(reader, query, best, NUMBERED);
    if (sorted !== null) {
      const all: SeenTask[] = [];
      await takeFrom(sorted[Symbol.iterator](), query, all, Infinity, turns);
      return all;
    }
  }
  for (let most = SMALL; !isSmall(reader, best, most); most *= 4) {
    if (await takeFrom(others, query, found, most, turns)) return found;
  }
  return firstOf(reader, query, best, turns);
}

/** A source with fewer entries than this is read whole at once: that is then as good as any order. */
const SMALL = 512;
/** Looked at in order by number before the entries of a source are. */
const FIRST = 64;
/** Entries that are put in order by number without the tasks that they stand for: some milliseconds. */
const NUMBERED = 16_384;

/** The tasks of a source, each once, in no order. */
export function* unordered(reader: TaskReader, source: AccessPath): IterableIterator<Task> {
  const several = source.ranges.length > 1 || source.alone.length > 0;
  const seen = several ? new Set<number>() : null;
  for (const task of tasksOf(reader, source)) {
    if (seen?.has(task.num) === true) continue;
    seen?.add(task.num);
    yield task;
  }
}

function* tasksOf(reader: TaskReader, source: AccessPath): IterableIterator<Task> {
  for (const range of source.ranges) {
    for (const entry of scan(reader.kv, range)) {
      const task = reader.at(entry);
      if (task !== undefined) yield task;
    }
  }
  for (const id of source.alone) {
    const task = reader.byId(id);
    if (task !== undefined) yield task;
  }
}

function inAnyOrderOf(reader: TaskReader, query: TaskQuery, all: readonly AccessPath[]): Iterable<Task> | null {
  for (const source of all) {
    const ordered = inOrder(reader, query, source);
    if (ordered !== null) return ordered;
  }
  return null;
}

/** Looks at up to `most` tasks. @returns whether all that the query asks for is found */
async function takeFrom(
  tasks: Iterator<Task>,
  query: TaskQuery,
  found: SeenTask[],
  most: number,
  turns: Yielder,
): Promise<boolean> {
  for (let looked = 0; looked < most; looked += 1) {
    const pause = turns.step();
    if (pause !== null) await pause;
    const next = tasks.next();
    if (next.done === true) return true;
    const seen = see(next.value, query);
    if (seen === null) continue;
    if (query.after !== null && !isBehind(sortValues(seen, query), query)) continue;
    found.push(seen);
    if (found.length >= query.limit) return true;
  }
  return false;
}

interface Candidate {
  readonly task: SeenTask;
  readonly values: readonly SortValue[];
}

async function firstOf(
  reader: TaskReader,
  query: TaskQuery,
  source: AccessPath,
  turns: Yielder,
): Promise<readonly SeenTask[]> {
  const bySort = (a: Candidate, b: Candidate): number => compareSortValues(a.values, b.values, query.sort);
  const room = query.limit * 2 + 1000;
  let kept: Candidate[] = [];
  let worst: Candidate | null = null;
  for (const task of unordered(reader, source)) {
    const pause = turns.step();
    if (pause !== null) await pause;
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
