import type { ListRange } from './collection.ts';
import type { Cleared } from '../kernel/removed.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { Workspace } from '../model/workspace/workspace.ts';

/** A workspace of a user, with their member record in it. */
export interface Membership {
  /** The workspace. */
  readonly workspace: Workspace;
  /** The active member of the user in it. */
  readonly member: Member;
}

/** The structures of workspaces, as a transaction reads them. */
export interface StructureReads {
  /**
   * @param known a structure that the caller has from an earlier snapshot: returned if it is this one and has not
   *   changed, so that it is not loaded again
   */
  get(workspaceId: string, known?: Structure): Promise<Structure | null>;
  /** The active memberships of a user, by workspace id: all, or a slice. O(answer). */
  ofUser(userId: string, range?: ListRange<string>): Promise<readonly Membership[]>;
  /** The ids of existing workspaces that a user is an active owner of: a slice, ascending. O(memberships of the user). */
  ownedBy(userId: string, range: ListRange<string>): Promise<readonly string[]>;
  /** The active owners of all of these workspaces, in no order. O(members), or O(owners) with an index of them. */
  owners(workspaceIds: readonly string[]): Promise<readonly Member[]>;
  /**
   * Up to `limit` stored pages whose parent is one of these, including unreachable ones, see `core/tree/reach.ts`:
   * `change` removes only some of the `removedPages` from storage, and leaves the others to `forget`.
   */
  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]>;
  /** Like {@link storedBelow}, of one parent and in sibling order, after one of them. */
  storedChildren(workspaceId: string, parentId: string, after: Page | null, limit: number): Promise<readonly Page[]>;
  /** The stored pages among these ids, including unreachable ones. */
  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]>;
}

/** Unique: workspace `alias` (`alias-taken`). */
export interface StructureRepository extends StructureReads {
  /** A new workspace with its first member and no pages. */
  insert(workspace: Workspace, owner: Member): Promise<Structure>;
  /**
   * Applies the change and raises the revision by one. An empty change raises it too: so a write that depends on the
   * structure conflicts with those that change it.
   */
  change(structure: Structure, change: StructureChange): Promise<Structure>;
  /** Makes the workspace unreachable. Its stored records are left to `clear`. Few writes. */
  remove(structure: Structure): Promise<void>;
  /**
   * Removes up to `limit` of the stored members and pages of a workspace that does not exist.
   *
   * @param from `next` of the call before; null: it is the first
   */
  clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared>;
  /** Stores new members and pages of a workspace that does not exist yet, for `open`; or new pages that are unreachable. */
  stage(workspaceId: string, records: Pick<StructureChange, 'members' | 'pages'>): Promise<void>;
  /** Replaces pages that are stored and unreachable, and stay so. */
  restage(workspaceId: string, pages: readonly Page[]): Promise<void>;
  /** Creates a workspace whose members and pages have all been staged. Few writes. */
  open(structure: Structure): Promise<void>;
  /** Removes stored pages that are unreachable. */
  forget(workspaceId: string, pages: readonly Page[]): Promise<void>;
  /**
   * The number of active memberships of a user, up to `limit`. Conflicts with every other write that counts them.
   * O(existing workspaces that the user has ever joined).
   */
  countOfUser(userId: string, limit: number): Promise<number>;
}
