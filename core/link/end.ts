import { changed } from '../kernel/record.ts';
import { type LinkEnd, oppositeOf, withLink, withLinks, withoutLink } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** A linked task where it is stored: among the tasks, or in an item of the trash. */
export interface StoredEnd {
  readonly task: Task;
  /** Null: it is among the tasks. */
  readonly item: TrashItem | null;
}

/** Null for a task that is removed: its links are being taken away. */
export async function storedEnd(
  tx: Pick<ReadTransaction, 'tasks' | 'trash'>,
  workspaceId: string,
  id: string,
): Promise<StoredEnd | null> {
  const task = await tx.tasks.get(workspaceId, id);
  if (task !== null) return { task, item: null };
  const item = await tx.trash.get(workspaceId, id);
  return item === null || item.task === null ? null : { task: item.task, item };
}

/** Links two tasks, which changes both. @param end how the link reads at `from` */
export async function connectTasks(tx: Transaction, from: Task, end: LinkEnd, to: Task, now: string): Promise<Task> {
  const linked = changed(from, { links: withLink(from.links, end, to.id) }, now);
  await tx.tasks.replace(linked);
  await tx.tasks.replace(changed(to, { links: withLink(to.links, oppositeOf(end), from.id) }, now));
  return linked;
}

/** The task without a link, as a change. */
export function unlinked(task: Task, end: LinkEnd, id: string, now: string): Task {
  return changed(withLinks(task, withoutLink(task.links, end, id)), {}, now);
}

/** Removes a link from one of its ends, also from one in the trash. @param end how the link reads there */
export async function releaseEnd(
  tx: Transaction,
  { task, item }: StoredEnd,
  end: LinkEnd,
  id: string,
  now: string,
): Promise<void> {
  const next = unlinked(task, end, id, now);
  if (item === null) await tx.tasks.replace(next);
  else await tx.trash.replace({ ...item, task: next });
}
