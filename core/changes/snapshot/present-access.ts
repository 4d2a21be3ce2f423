import { sees, viewerOf, type Viewer } from '../../access/viewer.ts';
import type { Context } from '../../ports/context.ts';
import { snapshotIncomplete } from '../../kernel/errors.ts';

/** The longest time between two checks of present access, in milliseconds; and the most records. */
export const CHECKED_EVERY = 250;
const MAX_RECORDS = 100;

/**
 * Compares what a viewer saw when a long read began with what they may see meanwhile. Records that are hidden in between
 * cannot be left out of the read: shown again before its cursor is followed, they would be in no event.
 */
export class PresentAccess {
  readonly #context: Context;
  readonly #viewer: Viewer;
  #now: Viewer;
  #checkedAt: number;
  #records = 0;

  /** @param viewer at the beginning */
  constructor(context: Context, viewer: Viewer) {
    this.#context = { ...context, onCursor: undefined };
    this.#viewer = viewer;
    this.#now = viewer;
    this.#checkedAt = context.clock.now();
  }

  /**
   * Called for each record before it is passed on. O(depth); some records share one read.
   *
   * @param pageIds the pages that decided, when the read began, who sees it with all that it names
   * @throws `snapshot-incomplete` if the reader may no longer see it
   * @throws `not-found`, `unauthenticated` if they may no longer see anything
   */
  async require(pageIds: readonly string[]): Promise<void> {
    const now = this.#context.clock.now();
    this.#records += 1;
    if (this.#records > MAX_RECORDS || now - this.#checkedAt >= CHECKED_EVERY) {
      this.#records = 0;
      this.#checkedAt = now;
      await this.#refresh();
    }
    if (!pageIds.every((id) => this.#seesStill(id))) throw hidden();
  }

  async #refresh(): Promise<void> {
    const { workspace } = this.#viewer.structure;
    const now = await this.#context.store.read((tx) => viewerOf(tx, this.#context, workspace.id));
    const isSame = now.principal.membership === this.#viewer.principal.membership;
    if (!isSame || now.member.role < this.#viewer.member.role) throw hidden();
    this.#now = now;
  }

  /** A page that is gone is as visible as the nearest page above it that is still there. */
  #seesStill(pageId: string): boolean {
    const { structure } = this.#viewer;
    if (this.#now.structure === structure) return true;
    for (let id: string | null = pageId; id !== null && sees(this.#viewer, id);) {
      if (this.#now.structure.page(id) !== undefined) return sees(this.#now, id);
      id = structure.page(id)!.parentId;
    }
    return true;
  }
}

function hidden() {
  return snapshotIncomplete('You lost access to part of the workspace during the snapshot: start it again.');
}
