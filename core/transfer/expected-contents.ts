import { invalid } from '../kernel/errors.ts';
import { MAX_ITEMS } from '../model/content/checklist-item.ts';
import type { Task } from '../model/content/task.ts';
import type { TransferRecord } from '../model/transfer-record.ts';

/** How many items of its checklist, and comments, are still to follow a task. */
export interface ExpectedContents {
  readonly id: string;
  items: number;
  done: number;
  comments: number;
  /** The sort keys of its items, and the ids of those and of comments, that have come. */
  readonly orderKeys: Set<number>;
  readonly ids: Set<string>;
}

/** Checks that each task is followed by exactly as many items and comments as its counts say, each of them once. */
export function requireContents(held: { task: ExpectedContents | null }, next: TransferRecord | null): void {
  if (next?.kind === 'comment' || next?.kind === 'checklistItem') {
    const { task } = held;
    if (next.record.taskId !== task?.id || !isExpected(task, next)) {
      throw invalid('', `holds a ${next.kind} that does not follow its task: ${next.record.id}`);
    }
    if (!isNew(task, next))
      throw invalid('', `holds a ${next.kind} with the id or place of another: ${next.record.id}`);
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
    ids: new Set(),
  };
}

type Contained = Extract<TransferRecord, { kind: 'comment' | 'checklistItem' }>;

/** Whether no item or comment of the task had its id before, and no item its sort key. */
function isNew({ orderKeys, ids }: ExpectedContents, { kind, record }: Contained): boolean {
  const known = ids.size + orderKeys.size;
  ids.add(record.id);
  if (kind === 'checklistItem') orderKeys.add(record.orderKey);
  return ids.size + orderKeys.size === known + (kind === 'checklistItem' ? 2 : 1);
}

function isExpected(task: ExpectedContents, next: Contained) {
  if (next.kind === 'comment') return --task.comments >= 0;
  if (next.record.done) task.done -= 1;
  return --task.items >= 0;
}
