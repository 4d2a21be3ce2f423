import { RECORDS_PER_STEP } from '../jobs/step.ts';
import { type Cleared, clearedAtStart } from '../kernel/removed.ts';
import { COLLECTION_NAMES, type CollectionName, orderIn, specOf } from '../model/collections.ts';
import type { Task } from '../model/content/task.ts';
import type { WorkspaceRemoval } from '../model/job.ts';
import type { AnyCollection } from '../ports/collection.ts';
import type { Transaction } from '../ports/store.ts';
import { storedTasks } from '../task/stored-tasks.ts';

/**
 * The number of changes and entries of histories that take as long to remove as one record: they are in few indexes,
 * and are not read.
 */
const LOGGED_PER_RECORD = 10;

/** Removes the next records of a part of a workspace, from a position (null: the start) on. */
type PartRemoval = (tx: Transaction, workspaceId: string, from: string | null, limit: number) => Promise<Cleared>;

/**
 * The parts of a workspace in the order in which they are removed. Running jobs end by themselves. Change records and
 * audit records are kept.
 */
const PARTS: ReadonlyMap<string, PartRemoval> = new Map<string, PartRemoval>([
  ['tasks', removeTasks],
  ['metadata', async (tx, id, _, limit) => clearedAtStart(await tx.tasks.clearMetadataIndex(id, null, limit))],
  ...COLLECTION_NAMES.filter(isRemoved).map((name) => [name, removalFrom(name)] as const),
  ['structure', (tx, id, from, limit) => tx.structures.clear(id, from, limit)],
  ['changeLog', removeLogged],
  ['waitingJobs', removeWaitingJobs],
]);

/**
 * Removes the records of a workspace that does not exist, part by part. Nothing is added to it any more, so each step
 * continues where the last one ended: it may take a store long to skip what was removed before.
 */
export async function workspaceRemovalStep(tx: Transaction, job: WorkspaceRemoval): Promise<WorkspaceRemoval | null> {
  const { workspaceId } = job;
  // The workspace exists: its import has opened it since.
  if ((await tx.structures.get(workspaceId)) !== null) return null;
  const names = [...PARTS.keys()];
  // A part that only another release knows: it starts at the first.
  const at = job.at !== undefined && PARTS.has(job.at.part) ? job.at : { part: names[0]!, from: null };
  let { from } = at;
  let room = RECORDS_PER_STEP;
  for (const part of names.slice(names.indexOf(at.part))) {
    if (room <= 0) return { ...job, at: { part, from } };
    const { removed, next } = await PARTS.get(part)!(tx, workspaceId, from, room);
    if (next !== null) return { ...job, at: { part, from: next } };
    room -= removed;
    from = null;
  }
  return null;
}

/** A list that is read in slices. */
interface SlicedList<T> {
  /** The fields that make a position in it. */
  readonly order: readonly string[];
  /** @param slice `after`: fields of the record before it */
  readonly read: (slice: { readonly after: T | null; readonly limit: number }) => Promise<readonly T[]>;
  readonly remove: (record: T) => Promise<void>;
}

async function removeNext<T>(
  { order, read, remove }: SlicedList<T>,
  from: string | null,
  limit: number,
): Promise<Cleared> {
  const found = await read({ after: from === null ? null : (JSON.parse(from) as T), limit });
  for (const record of found) await remove(record);
  const next = found.length < limit ? null : JSON.stringify(found.at(-1), [...order]);
  return { removed: found.length, next };
}

function removeTasks(tx: Transaction, workspaceId: string, from: string | null, limit: number): Promise<Cleared> {
  const tasks: SlicedList<Task> = {
    order: ['num', 'id'],
    read: (slice) => storedTasks(tx, workspaceId, slice),
    remove: (task) => tx.tasks.remove(task),
  };
  return removeNext(tasks, from, limit);
}

/** Whether a collection goes with its workspace. All that do are listed by `ofWorkspace`. */
function isRemoved(name: CollectionName): boolean {
  const { of, immutable } = specOf(name);
  return of === 'workspace' && immutable !== true && name !== 'jobs';
}

function removalFrom(name: CollectionName): PartRemoval {
  const spec = specOf(name);
  const order = orderIn(spec, spec.index!['ofWorkspace']!);
  return (tx, workspaceId, from, limit) => {
    const records = tx[name] as unknown as AnyCollection;
    const list: SlicedList<object> = {
      order,
      read: (slice) => records.list('ofWorkspace', { workspaceId }, slice),
      remove: (record) => records.remove(record),
    };
    return removeNext(list, from, limit);
  };
}

async function removeLogged(tx: Transaction, workspaceId: string, from: string | null, room: number): Promise<Cleared> {
  const { removed, next } = await tx.changeLog.clear(workspaceId, from, room * LOGGED_PER_RECORD);
  return { removed: Math.ceil(removed / LOGGED_PER_RECORD), next };
}

/**
 * Removes jobs that wait for their time with nothing left to do: otherwise the workspace could not be imported again
 * until then.
 */
async function removeWaitingJobs(
  tx: Transaction,
  workspaceId: string,
  _from: string | null,
  limit: number,
): Promise<Cleared> {
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: RECORDS_PER_STEP });
  const waiting = jobs.filter(({ kind }) => kind === 'trash-purge' || kind === 'copy-failed');
  const removed = waiting.slice(0, limit);
  for (const job of removed) await tx.jobs.remove(job);
  const more = waiting.length > limit || (waiting.length > 0 && jobs.length === RECORDS_PER_STEP);
  return clearedAtStart({ removed: removed.length, more });
}
