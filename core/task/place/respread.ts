import { GAP, KEY_LIMIT } from '../../kernel/order-key.ts';
import { timestamp } from '../../kernel/record.ts';
import { changedTask } from '../board-edits.ts';
import { RECORDS_PER_STEP, type StepPorts } from '../../jobs/step.ts';
import type { Respread } from '../../model/job.ts';
import type { Task } from '../../model/content/task.ts';
import type { Transaction } from '../../ports/store.ts';
import { idsOf } from './place.ts';
import { MAX_MOVED, roomyGap } from '../../kernel/rebalance.ts';

/** Keys read in one step: from an index, without writing. */
const KEYS_PER_STEP = 1_000;

/**
 * Counts tasks from the place outwards until those counted have space for roomy gaps, then moves them, the outermost
 * first: so the order of tasks is kept at every commit.
 */
export function respreadStep(tx: Transaction, job: Respread, ports: StepPorts): Promise<Respread | null> {
  return job.gap === null ? countTasks(tx, job) : moveTasks(tx, { ...job, gap: job.gap }, timestamp(ports));
}

async function countTasks(tx: Transaction, job: Respread): Promise<Respread | null> {
  const { workspaceId, statusId, side } = job;
  const outwards = side === 'above' ? 1 : -1;
  const base = baseOf(job);
  const from = job.edge === null ? base + outwards : job.edge + outwards;
  const range = { from, descending: outwards < 0, limit: KEYS_PER_STEP };
  const keys = await tx.tasks.placesTaken(workspaceId, statusId, range);
  let { count, edge } = job;
  for (const key of keys) {
    const gap = Math.floor(Math.abs(key - base) / (count + 1));
    if (count >= MAX_MOVED && gap >= roomyGap(count)) return { ...job, count, edge, gap };
    count += 1;
    edge = key;
  }
  if (keys.length === KEYS_PER_STEP) return { ...job, count, edge };
  if (count === 0 && !job.isLast) return nextSide(job);
  const gap = Math.min(GAP, Math.floor((KEY_LIMIT - outwards * base) / Math.max(1, count)));
  return gap >= roomyGap(count) ? { ...job, count, edge, gap } : startOverFromEnd(job);
}

async function moveTasks(
  tx: Transaction,
  job: Respread & { readonly gap: number },
  now: string,
): Promise<Respread | null> {
  const { workspaceId, statusId, side, gap, edge } = job;
  const outwards = side === 'above' ? 1 : -1;
  const base = baseOf(job);
  if (edge === null) return nextSide(job);
  const column = (from: number, descending: boolean, limit: number) => ({ from, descending, limit });
  const [outer] = await tx.tasks.placesTaken(workspaceId, statusId, column(edge + outwards, outwards < 0, 1));
  const tasks = await tx.tasks.column(workspaceId, statusId, column(edge, outwards > 0, RECORDS_PER_STEP));
  const inside = tasks.filter(({ statusOrderKey }) => (statusOrderKey - base) * outwards > 0);
  const moved: Task[] = [];
  let { count } = job;
  let limit = outer ?? outwards * (KEY_LIMIT + 1);
  for (const task of inside) {
    const wanted = base + outwards * gap * count;
    const key = (limit - wanted) * outwards > 0 ? wanted : limit - outwards;
    const isOutwards = (key - task.statusOrderKey) * outwards > 0;
    if (isOutwards) moved.push(changedTask(task, { statusOrderKey: key }, now));
    limit = isOutwards ? key : task.statusOrderKey;
    count = Math.max(0, count - 1);
  }
  if (moved.length > 0) await tx.tasks.replaceTogether(moved, idsOf(moved));
  const last = inside.at(-1);
  if (last === undefined || inside.length < RECORDS_PER_STEP) return nextSide(job);
  return { ...job, count, edge: last.statusOrderKey - outwards };
}

/** The base of the new keys: the place itself belongs to the lower side. */
function baseOf({ place, side }: Respread): number {
  return side === 'above' ? place : place + 1;
}

function nextSide(job: Respread): Respread | null {
  if (job.isLast || job.side === 'below') return null;
  return { ...job, side: 'below', count: 0, edge: null, gap: null };
}

/** The range of keys ends too close on this side: starts over from that end and moves all tasks away from it. */
function startOverFromEnd(job: Respread): Respread | null {
  if (job.isLast) return null;
  const fresh = { ...job, isLast: true, count: 0, edge: null, gap: null };
  if (job.side === 'above') return { ...fresh, side: 'below', place: KEY_LIMIT };
  return { ...fresh, side: 'above', place: -KEY_LIMIT - 1 };
}
