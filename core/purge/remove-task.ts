import { removeContentsOf } from './contents.ts';
import type { Task } from '../model/content/task.ts';
import type { Ports } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { timestamp } from '../kernel/record.ts';
import { releaseLinks, type Released } from '../link/release.ts';
import { enqueueJob, type WithEffects } from '../jobs/enqueue-job.ts';
import { READS_PER_WRITE } from '../jobs/step.ts';

/** The most comments, items and entries of histories, of one task and of all, removed with it in one transaction. */
const CONTENTS_OF_ONE = 50;
const CONTENTS_OF_ALL = 500;

/** The number of those that a transaction has removed so far. */
const contentsRemoved = new WeakMap<Transaction, number>();

interface RemoveTask {
  /** See `releaseLinks`. */
  readonly goneBoardId?: string;
  /** See `removeContentsOf`. */
  readonly keepsHistory?: boolean;
}

type Removing = Partial<Pick<Ports, 'clock'>> & WithEffects;

/**
 * Removes a task with its links, comments, checklist and history; what is left to a job is unreachable.
 *
 * @param ports without a clock, links are left to the job
 * @returns the number of records removed or changed, plus as many as the reads count for
 */
export async function removeTask(
  tx: Transaction,
  task: Task,
  ports: Removing,
  { goneBoardId, keepsHistory }: RemoveTask = {},
): Promise<number> {
  const { id, workspaceId } = task;
  await tx.tasks.remove(task);
  const before = contentsRemoved.get(tx) ?? 0;
  const room = Math.min(CONTENTS_OF_ONE, CONTENTS_OF_ALL - before);
  const released = await releaseSome(tx, task, ports, room, goneBoardId);
  const { removed, more } = await removeContentsOf(tx, task, room - released.removed, keepsHistory);
  contentsRemoved.set(tx, before + released.removed + removed);
  if (more || released.left !== undefined) {
    // The id of the job is that of the task, which is removed only once.
    const links = released.left === undefined ? {} : { links: released.left };
    await enqueueJob(tx, ports, { kind: 'purge', id, workspaceId, boards: [], tasks: [id], ...links, notBefore: null });
  }
  return 1 + released.removed + removed + Math.floor(released.tasksRead / READS_PER_WRITE);
}

const NO_LINKS: Released = { removed: 0, tasksRead: 0, left: undefined };

async function releaseSome(
  tx: Transaction,
  task: Task,
  { clock }: Removing,
  room: number,
  goneBoardId: string | undefined,
): Promise<Released> {
  if (task.links === undefined) return NO_LINKS;
  if (clock === undefined) return { ...NO_LINKS, left: task.links };
  return releaseLinks(tx, task, room, timestamp({ clock }), goneBoardId);
}
