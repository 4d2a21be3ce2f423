import { invalid } from '../kernel/errors.ts';
import { MAX_ITEMS } from '../model/content/checklist-item.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { TransferRecord } from '../model/transfer-record.ts';

/** How many items of its checklist, and comments, are still to follow a task. */
export interface ExpectedContents {
  readonly id: string;
  items: number;
  done: number;
  comments: number;
  /** The sort keys of its items that have come. */
  readonly orderKeys: Set<number>;
}

/** Checks that each task is followed by exactly as many items and comments as its counts say. */
export function requireContents(held: { task: ExpectedContents | null }, next: TransferRecord | null): void {
  if (next?.kind === 'comment' || next?.kind === 'checklistItem') {
    const { task } = held;
    if (next.record.taskId !== task?.id || !isExpected(task, next)) {
      throw invalid('', `holds a ${next.kind} that does not follow its task: ${next.record.id}`);
    }
    if (next.kind === 'checklistItem' && !isNewPlace(task, next.record.orderKey)) {
      throw invalid('', `holds a checklistItem with the place of another: ${next.record.id}`);
    }
    return;
  }
  const { task } = held;
  if (task !== null && task.comments > 0) throw invalid('', `lacks comments of a task: ${task.id}`);
  if (task !== null && (task.items > 0 || task.done !== 0)) {
    throw invalid('', `holds a task that counts other items than its checklist has: ${task.id}`);
  }
  held.task = next?.kind === 'task' ? expectedOf(next.record) : null;
}

function expectedOf({ id, checklistTotal, checklistDone, commentCount }: Task): ExpectedContents {
  if (checklistTotal > MAX_ITEMS) throw invalid('', `holds a checklist of more than ${MAX_ITEMS} items: ${id}`);
  return {
    id,
    items: checklistTotal,
    done: checklistDone,
    comments: commentCount,
    orderKeys: new Set(),
  };
}

type Contained = Extract<TransferRecord, { kind: 'comment' | 'checklistItem' }>;

/** Whether no item of the task had the sort key before. */
function isNewPlace({ orderKeys }: ExpectedContents, orderKey: number): boolean {
  return orderKeys.size < orderKeys.add(orderKey).size;
}

function isExpected(task: ExpectedContents, next: Contained) {
  if (next.kind === 'comment') return --task.comments >= 0;
  if (next.record.done) task.done -= 1;
  return --task.items >= 0;
}

/**
 * Checks that no item or comment has the id of another, whatever tasks they belong to. Several are looked for at once.
 *
 * @param records to be inserted
 */
export async function requireNewContents(
  tx: ReadTransaction,
  workspaceId: string,
  records: readonly TransferRecord[],
): Promise<void> {
  for (const [kind, collection] of [
    ['comment', tx.comments],
    ['checklistItem', tx.checklistItems],
  ] as const) {
    const ids = records.flatMap((one) => (one.kind === kind ? [one.record.id] : []));
    if (ids.length === 0) continue;
    const stored = await collection.many(workspaceId, ids);
    const twice = ids.find((id, i) => stored.has(id) || ids.indexOf(id) < i);
    if (twice !== undefined) throw invalid('', `holds the ${kind} ${twice} twice`);
  }
}
