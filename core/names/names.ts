import { sees, type Viewer } from '../access/viewer.ts';
import { visitItems } from '../kernel/stepwise.ts';
import { MEMBER } from '../model/access/role.ts';
import type { Board } from '../model/content/board.ts';
import type { User } from '../model/user/user.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** The name of a member in a record. */
export interface MemberName {
  /** The member. */
  readonly id: string;
  /** Null if the caller is a guest and this is another member. */
  readonly name: string | null;
}

/** The name of a page or board in a record. */
export interface PageName {
  /** The page; its board has the same id. */
  readonly id: string;
  /** 1-500 characters. */
  readonly name: string;
}

/** The name of a status in a task. */
export interface StatusName {
  /** The status. */
  readonly id: string;
  /** 1-100 characters. */
  readonly name: string;
  /** Tasks that move into this status are completed. */
  readonly done: boolean;
}

/** The name of a tag in a task. */
export interface TagName {
  /** The tag. */
  readonly id: string;
  /** 1-100 characters. */
  readonly name: string;
  /** A CSS colour name or `#rrggbb`, in lower case. */
  readonly color: string;
}

/** The name of a user in an audit record. */
export interface UserName {
  /** The user. */
  readonly id: string;
  /** Null for a user who was never a member of the workspace. */
  readonly name: string | null;
}

export type NameOfMember = (id: string) => MemberName;

/** The names of members, including former ones, as the viewer may see them. One read for all. O(ids). */
export async function memberNames(
  tx: ReadTransaction,
  viewer: Viewer,
  ids: Iterable<string | null>,
): Promise<NameOfMember> {
  const userOf = new Map<string, string>();
  const userIds: string[] = [];
  const visit = (id: string | null): void => {
    if (id === null || userOf.has(id) || !isNameShown(viewer, id)) return;
    const member = viewer.structure.member(id);
    if (member === undefined) return;
    userOf.set(id, member.userId);
    userIds.push(member.userId);
  };
  await visitItems(ids, viewer.yielder, visit);
  const users = userIds.length === 0 ? NOBODY : await tx.users.many(userIds);
  const known = new Map<string, MemberName>();
  return (id) => {
    let named = known.get(id);
    if (named === undefined) {
      known.set(id, (named = { id, name: users.get(userOf.get(id) ?? '')?.name ?? null }));
    }
    return named;
  };
}

const NOBODY: ReadonlyMap<string, User> = new Map();

/** The names of users in the audit trail. One read for all. O(ids). */
export async function userNames(
  tx: ReadTransaction,
  ids: Iterable<string | null>,
  isShown: (userId: string) => boolean,
): Promise<(id: string | null) => UserName | null> {
  const asked = [...new Set(ids)].filter((id) => id !== null && isShown(id)) as string[];
  const users = asked.length === 0 ? NOBODY : await tx.users.many(asked);
  return (id) => (id === null ? null : { id, name: users.get(id)?.name ?? null });
}

/** Who did something; null for a guest, unless it was them. */
export function shownMemberId(viewer: Viewer, id: string): string | null {
  return isNameShown(viewer, id) ? id : null;
}

/** The same for a user; null too for one who was never a member. */
export function shownMemberIdOfUser(viewer: Viewer, userId: string | null): string | null {
  const member = userId === null ? undefined : viewer.structure.memberOfUser(userId);
  return member === undefined ? null : shownMemberId(viewer, member.id);
}

/** As in the list of members: a guest sees only themselves. */
function isNameShown({ member }: Viewer, id: string): boolean {
  return member.role >= MEMBER || member.id === id;
}

/** The name of a page; null for a null id, and for a page that the viewer may not see. */
export function pageName(viewer: Viewer, id: string | null): PageName | null {
  const page = id === null ? undefined : viewer.structure.page(id);
  return page !== undefined && sees(viewer, page.id) ? { id: page.id, name: page.name } : null;
}

/** The names on one board. */
export interface BoardNames {
  readonly statuses: ReadonlyMap<string, StatusName>;
  readonly tags: ReadonlyMap<string, TagName>;
}

/** By board record, which is immutable. Names are frozen, as all answers share them. */
const cache = new WeakMap<Board, BoardNames>();

/** O(statuses + tags) once per version of a board, then O(1). */
export function namesOn(board: Board): BoardNames {
  const cached = cache.get(board);
  if (cached !== undefined) return cached;
  const names = {
    statuses: new Map(board.statuses.map(({ id, name, done }) => [id, Object.freeze({ id, name, done })])),
    tags: new Map(board.tags.map(({ id, name, color }) => [id, Object.freeze({ id, name, color })])),
  };
  cache.set(board, names);
  return names;
}
