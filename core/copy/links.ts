import { levelOnTask } from '../access/viewer.ts';
import { RECORDS_PER_STEP, READS_PER_WRITE } from '../jobs/step.ts';
import { EspalierError } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import { MAX_VISITED, requireNoPath } from '../link/cycle.ts';
import { VIEW } from '../model/access/level.ts';
import {
  ACYCLIC,
  type LinkEnd,
  linkedAs,
  linksOf,
  mostLinks,
  oppositeOf,
  withLink,
} from '../model/content/task-links.ts';
import type { Copy, CopiedUpTo } from '../model/job.ts';
import type { Task } from '../model/content/task.ts';
import type { Transaction } from '../ports/store.ts';
import { type CopyState, idOfCopy } from './copy-state.ts';

/** A link that a copy of a task may have, and the copy at its other end. */
type LinkToCopy = readonly [end: LinkEnd, other: Task];

type LinkAt = NonNullable<CopiedUpTo['link']>;

/** Links of a task that were copied. */
export interface CopiedLinks {
  /** How many were made, with as many more as the reads count. */
  readonly written: number;
  /** The link after which to continue. Null: all are copied. */
  readonly next: LinkAt | null;
  /** Whether the source has changed since the copy began, so that it may be linked anew. */
  readonly linkedAnew: boolean;
}

/** Before the first link. */
export const FIRST_LINK: LinkAt = { end: 'parent', id: '' };

/** Clocks of processes differ by less, in milliseconds. */
const CLOCKS_DIFFER = 60_000;

/** Copies up to 50 more links of a task that has too many for one step, as long as it is in sight. */
export async function copyOfLinks(state: CopyState, at: CopiedUpTo, link: LinkAt): Promise<Copy> {
  const { tx, job, viewer } = state;
  const { link: _, ...done } = at;
  const source = await tx.tasks.get(job.workspaceId, at.taskId);
  if (source === null || levelOnTask(viewer, source) < VIEW) return { ...job, at: done };
  const copied = await copyLinks(state, source, link, RECORDS_PER_STEP);
  return { ...withLinkedAnew(job, copied), at: copied.next === null ? done : { ...done, link: copied.next } };
}

export function withLinkedAnew(job: Copy, { linkedAnew }: Pick<CopiedLinks, 'linkedAnew'>): Copy {
  return linkedAnew && job.linkedAnew !== true ? { ...job, linkedAnew } : job;
}

/**
 * Links the copy of a task to the copies that are there already: those that come later link themselves. Links to tasks
 * that are not copied are left out. As tasks may be linked anew between the steps of a copy, the links are checked, all
 * of a kind together. Where a search within its bounds cannot rule out a cycle, they are made only if no
 * linked task has changed meanwhile: they are on no cycle then, as those of the source are not.
 */
export async function copyLinks(
  { tx, ports, job }: CopyState,
  source: Task,
  after: LinkAt,
  limit: number,
): Promise<CopiedLinks> {
  const { workspaceId } = source;
  const linkedAnew = job.linkedAnew === true || hasChanged(job, source);
  const all = [...linksOf(source)];
  // From the start if that link is gone: links that exist already are skipped below.
  const begin = all.findIndex(([end, id]) => end === after.end && id === after.id) + 1;
  const part = all.slice(begin, begin + Math.max(1, limit));
  const next = begin + part.length === all.length ? null : { end: part.at(-1)![0], id: part.at(-1)![1] };
  const others = await Promise.all(part.map(([, id]) => tx.tasks.get(workspaceId, idOfCopy(job, id))));
  const copy = await tx.tasks.get(workspaceId, idOfCopy(job, source.id));
  if (copy === null) return { written: 0, next: null, linkedAnew };
  // Together with the links that it has already, it must not exceed the bound.
  const room = new Map<LinkEnd, number>();
  const fitting = part.flatMap(([end], i): readonly LinkToCopy[] => {
    const other = others[i]!;
    if (other === null || linkedAs(copy, end).includes(other.id) || !hasRoom(other, oppositeOf(end))) return [];
    const left = room.get(end) ?? mostLinks(end) - linkedAs(copy, end).length;
    room.set(end, left - 1);
    return left > 0 ? [[end, other]] : [];
  });
  const { wanted, visited } = await withoutCycles(tx, copy, fitting, linkedAnew);
  if (wanted.length > 0) {
    const now = timestamp(ports);
    for (const [end, { id }] of wanted) {
      // It may have been linked a moment ago, in another way.
      const other = (await tx.tasks.get(workspaceId, id))!;
      await tx.tasks.replace({ ...other, links: withLink(other.links, oppositeOf(end), copy.id), updatedAt: now });
    }
    await tx.tasks.replace(withAll(copy, wanted));
  }
  return { written: wanted.length + Math.floor((part.length + visited) / READS_PER_WRITE), next, linkedAnew };
}

function hasChanged({ begunAt }: Copy, { updatedAt }: Task): boolean {
  return begunAt === undefined || Date.parse(updatedAt) >= Date.parse(begunAt) - CLOCKS_DIFFER;
}

function withAll(task: Task, wanted: readonly LinkToCopy[]): Task {
  return wanted.reduce((made, [end, { id }]) => ({ ...made, links: withLink(made.links, end, id) }), task);
}

/** Links that must not be on a cycle, and those of the same kind that are checked before them. */
const CHECKED: readonly (readonly [end: LinkEnd, before: LinkEnd | null])[] = ACYCLIC.flatMap((end) => [
  [end, null] as const,
  [oppositeOf(end), end] as const,
]);

/** The links without those that would close a cycle, or may. */
async function withoutCycles(tx: Transaction, copy: Task, fitting: readonly LinkToCopy[], linkedAnew: boolean) {
  let [wanted, visited] = [fitting, 0];
  for (const [end, before] of CHECKED) {
    const linkedTo = (as: LinkEnd | null) => wanted.flatMap(([one, other]) => (one === as ? [other] : []));
    const starts = linkedTo(end);
    if (starts.length === 0) continue;
    try {
      visited += await requireNoPath(tx, end, starts, [copy, ...linkedTo(before)]);
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      visited += MAX_VISITED;
      if (error.code === 'link-cycle' || linkedAnew) wanted = wanted.filter(([one]) => one !== end);
    }
  }
  return { wanted, visited };
}

function hasRoom(task: Task, end: LinkEnd): boolean {
  return linkedAs(task, end).length < mostLinks(end);
}
