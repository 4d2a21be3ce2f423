import type { Principal } from '../access/resolve.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import type { ChangeRead } from './slice.ts';

/** Who was shown some events, and the pages on which they saw what these name: of one that takes a page away not that. */
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
