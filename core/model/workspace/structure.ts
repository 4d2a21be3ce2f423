import type { Member } from './member.ts';
import type { Page } from './page.ts';
import type { Workspace } from './workspace.ts';

/**
 * What decides access in a workspace: its members, its `defaultAccess`, and its page tree with settings and entries.
 * Every structural write raises its revision.
 *
 * An instance is immutable and belongs to one snapshot of the store. A store may return one that loads records lazily;
 * that one is valid only inside its transaction.
 */
export interface Structure {
  /** The record of the workspace. */
  readonly workspace: Workspace;
  /** Raised by every change of the structure. */
  readonly revision: number;
  /** Loads on first access: valid only inside the transaction that returned it. Absent: in memory as a whole. */
  readonly isPartial?: true;
  /** Including former members. */
  members(): Iterable<Member>;
  /** A member by id, former ones too. */
  member(id: string): Member | undefined;
  /** The member of a user, former ones too. */
  memberOfUser(userId: string): Member | undefined;
  /** All reachable pages, in no order. */
  pages(): Iterable<Page>;
  /** A reachable page by id. */
  page(id: string): Page | undefined;
  /** In sibling order. */
  children(parentId: string | null): readonly Page[];
  /** The pages of the tasks of a board, wherever they are in the tree. */
  taskPages(boardId: string): readonly Page[];
  /**
   * Tasks on existing boards whose own page was removed with a page above it: they are unreachable, until they are
   * restored with it or purged in steps. Some may be purged already.
   */
  removedTasks(): ReadonlySet<string>;
  /** Whether {@link removedTasks} has the task. */
  isRemovedTask(id: string): boolean;
}

/**
 * Records to put and pages to remove, in one revision. `removedPages` names all removed pages: with a page its
 * descendants, and with a board the pages of its tasks. Of these, only those whose parent (`parentId`) and board
 * (`boardId`) both stay are removed from storage. If there are none, as for a board below the page of one of its own
 * tasks, the first one named is removed. The others stay stored but unreachable, until they are forgotten or restored.
 */
export interface StructureChange {
  /**
   * The added pages become visible with content that was staged before, or is created in the same transaction: readers
   * of changes get an event for the first page, and read what is below it.
   */
  readonly shows?: true;
  /** The workspace as it is then. Absent: unchanged. */
  readonly workspace?: Workspace;
  /** Members to put, new or changed. */
  readonly members?: readonly Member[];
  /** Reachable pages to put, new or changed. */
  readonly pages?: readonly Page[];
  /** The ids of pages that are reachable no more. */
  readonly removedPages?: readonly string[];
  /**
   * Stored pages that become reachable again with one of `pages`, as they are stored. All pages that become reachable
   * with it are listed.
   */
  readonly restoredPages?: readonly Page[];
  /**
   * The earlier parents of those of `pages` that become reachable again, by page id. They may have another parent now.
   */
  readonly restoredFrom?: ReadonlyMap<string, string | null>;
  /** Tasks on restored boards whose own pages stay unreachable: they join `removedTasks`. */
  readonly waitingTasks?: readonly string[];
  /** The purge of unreachable pages and their tasks is complete: `removedTasks` becomes empty. */
  readonly settled?: true;
}
