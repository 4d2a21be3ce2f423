import type { Principal } from '../access/resolve.ts';
import { levelOnTask, sees, type Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/access/level.ts';
import type { ChangeEvent } from '../model/log/change-event.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { ChangeRead } from './slice.ts';

/**
 * Who was shown some events, and the pages on which they saw the records that these name, except pages that an event
 * hides or deletes.
 */
export class ShownSlice {
  readonly #principal: Principal;
  readonly #pageIds: ReadonlySet<string>;

  constructor({ principal, slice: { items } }: ChangeRead) {
    this.#principal = principal;
    const ids = items.flatMap(({ type, id, pageId, boardId }) => {
      const isGone = type === 'page.hide' || type === 'page.delete';
      return [pageId, boardId].filter((each) => !isGone || each !== id);
    });
    this.#pageIds = new Set(ids.filter((id) => id !== null));
  }

  /** Whether they may still see all of it. O(pages * depth) */
  isSeenBy(now: Viewer): boolean {
    const { membership, role } = this.#principal;
    if (now.principal.membership !== membership || now.principal.role < role) return false;
    return [...this.#pageIds].every((id) => sees(now, id));
  }
}

/** Whether the caller may still see the task that an event brings, or brings a comment on. True of other events. O(1) */
export async function seesTaskOf(tx: ReadTransaction, now: Viewer, event: ChangeEvent): Promise<boolean> {
  const [kind, verb] = event.type.split('.');
  const taskId = kind === 'task' ? event.id : event.taskId;
  if (taskId === null || verb === 'delete' || verb === 'hide') return true;
  const task = await tx.tasks.get(now.structure.workspace.id, taskId);
  return task !== null && levelOnTask(now, task) >= VIEW;
}
