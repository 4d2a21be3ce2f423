import { removeContentsOf } from './contents.ts';
import { takeFromTrash, totalsAfter } from '../trash/totals.ts';
import { releaseLinks } from '../link/release.ts';
import { clearRemovedTasks } from './clear-removed-tasks.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { timestamp } from '../kernel/record.ts';
import type { TrashPurge } from '../model/job.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { CallEffects, Ports } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** The number of items whose removal one step starts: each leaves a job, and removes a few comments at most. */
const ITEMS_PER_STEP = 5;

/** Comments, items and entries of histories removed with an item in one transaction. More are left to a job. */
const CONTENTS_AT_ONCE = 10;

/** Removes items that are due from the trash; then waits for the next one. */
export async function trashPurgeStep(tx: Transaction, job: TrashPurge, ports: StepPorts): Promise<TrashPurge | null> {
  const { workspaceId } = job;
  // The workspace is being removed, with its trash.
  if ((await tx.structures.get(workspaceId)) === null) return null;
  const now = timestamp(ports);
  const items = await tx.trash.list('due', { workspaceId }, { limit: ITEMS_PER_STEP + 1 });
  const due = items.slice(0, ITEMS_PER_STEP).filter(({ purgeAt }) => purgeAt <= now);
  let { totals } = job;
  for (const item of due) {
    await tx.trash.remove(item);
    totals = totalsAfter(totals, item.counts, -1);
    await purgeItem(tx, ports, item);
  }
  const next = items[due.length];
  if (next !== undefined) return { ...job, notBefore: next.purgeAt, totals };
  await clearRemovedTasks(tx, job);
  return null;
}

/** Removes what an item held that was taken out of the trash for good: the rest is left to a job. O(1). */
export async function purgeItem(
  tx: Transaction,
  ports: Pick<Ports, 'clock' | 'ids'> & { readonly effects?: Pick<CallEffects, 'jobs'> },
  item: TrashItem,
): Promise<void> {
  const { id, workspaceId, page, boards, revision, by } = item;
  const { removed, left: links } =
    item.task?.links === undefined
      ? { removed: 0, left: undefined }
      : await releaseLinks(tx, item.task, CONTENTS_AT_ONCE, timestamp(ports));
  const contents = item.task ?? { workspaceId, id, checklistTotal: 0, commentCount: 0 };
  const { more } = await removeContentsOf(tx, contents, CONTENTS_AT_ONCE - removed);
  const pages = page === null || item.counts.pages <= 1 ? [] : [id];
  const tasks = more || links !== undefined ? [id] : [];
  if (boards.length + pages.length + tasks.length === 0) return;
  const left = {
    boards,
    ...(pages.length > 0 && { pages }),
    ...(tasks.length > 0 && { tasks }),
    ...(links !== undefined && { links }),
  };
  await enqueueJob(tx, ports, {
    kind: 'purge',
    id: ports.ids.next(),
    workspaceId,
    notBefore: null,
    ...left,
    revision,
    by,
  });
}

/** Removes tasks from the trash whose board is being purged. @returns the number of items removed */
export async function purgeTrashOfBoard(
  tx: Transaction,
  ports: StepPorts,
  workspaceId: string,
  boardId: string,
): Promise<number> {
  const items = await tx.trash.list('ofBoard', { workspaceId, boardId }, { limit: RECORDS_PER_STEP / ITEMS_PER_STEP });
  for (const item of items) {
    await takeFromTrash(tx, item);
    await purgeItem(tx, ports, item);
  }
  return items.length;
}
