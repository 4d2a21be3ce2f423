import type { Member } from './member.ts';
import type { Page } from './page.ts';
import type { Workspace } from './workspace.ts';

/**
 * What decides access in a workspace: its members, its `defaultAccess`, and its page tree with
 * settings and entries. It has one revision, which every structural write raises.
 *
 * An instance is immutable and belongs to one snapshot of the store. A store may hand out one that
 * loads what is asked for on first touch; it is then valid only inside the transaction that gave it.
 */
export interface Structure {
  readonly workspace: Workspace;
  readonly revision: number;
  /** Former members too. */
  members(): Iterable<Member>;
  member(id: string): Member | undefined;
  memberOfUser(userId: string): Member | undefined;
  pages(): Iterable<Page>;
  page(id: string): Page | undefined;
  /** In sibling order. */
  children(parentId: string | null): readonly Page[];
  /**
   * Tasks of boards that are there, whose own page went with a page that was removed: they are out of reach, and are
   * removed in steps. Some may be gone already.
   */
  removedTasks(): Iterable<string>;
  isRemovedTask(id: string): boolean;
}

/** Records to put and pages to remove, in one revision. Removing a page removes what goes with it, which is named too:
 * its descendants, and of a board among them the pages of its tasks. */
export interface StructureChange {
  readonly workspace?: Workspace;
  readonly members?: readonly Member[];
  readonly pages?: readonly Page[];
  readonly removedPages?: readonly string[];
  /** No page that is out of reach is stored any more, and so no task of one. */
  readonly settled?: true;
}
