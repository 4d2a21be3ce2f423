import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import {
  inSteps,
  forEachItemStepwise,
  sortedStepwise,
  type Stepwise,
  mapItems,
  visitItems,
} from '../kernel/stepwise.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import type { User } from '../model/user/user.ts';
import { DENIED, type Level } from '../model/access/level.ts';
import { accessType, effective, resolverAt, principalOf, type AccessType } from './resolve.ts';
import { memberNames, type MemberName } from '../names/names.ts';
import { governingPageId, type Viewer } from './viewer.ts';

/** The level of one member on one page. */
export interface AccessEntry {
  /** The member. */
  readonly memberId: string;
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: number;
  /** 400 full, 300 edit, 200 comment, 100 view, 0 denied. */
  readonly access: Level;
  /** `accepted`: set on this page; `inherited`: from a page above or the workspace. */
  readonly type: AccessType;
  /** Present if requested with `expand`. */
  readonly expanded?: EntryNames;
}

/** The names of the ids in an access entry. */
export interface EntryNames {
  /** The member. */
  readonly member?: MemberName;
}

/** What can be expanded in a record with a `memberId`. */
export const MEMBER_EXPANSIONS = ['member'] as const;
/** An id of an access entry that `expand` resolves to a name. */
export type MemberExpansion = (typeof MEMBER_EXPANSIONS)[number];

/** Adds the names of members to records, if requested. One read for all. */
export async function withMemberNames<T extends { readonly memberId: string; readonly expanded?: EntryNames }>(
  tx: ReadTransaction,
  viewer: Viewer,
  records: readonly T[],
  expand: readonly MemberExpansion[] = [],
): Promise<readonly T[]> {
  if (expand.length === 0) return records;
  const memberIds = await mapItems(records, viewer.yielder, ({ memberId }) => memberId);
  const nameOf = await memberNames(tx, viewer, memberIds);
  const named = (record: T): T => ({ ...record, expanded: { member: nameOf(record.memberId) } });
  return mapItems(records, viewer.yielder, named);
}

/** Every active member's level on a page, by member id. */
export async function levelOfEveryone(
  tx: ReadTransaction,
  { structure, yielder }: Viewer,
  page: Page,
): Promise<AccessEntry[]> {
  const { members, users } = await activeMembers(tx, structure, yielder);
  const levelOf = await inSteps(resolverAt(structure, page.id), yielder);
  const entryOf = (member: Member): AccessEntry => ({
    memberId: member.id,
    role: member.role,
    access: levelOf(principalOf(member, users.get(member.userId))),
    type: accessType(page, member),
  });
  return mapItems(members, yielder, entryOf);
}

/** The access of one active member on a page. O(depth). */
export async function accessOf(
  tx: ReadTransaction,
  structure: Structure,
  page: Page,
  member: Member,
): Promise<AccessEntry> {
  const user = (await tx.users.many([member.userId])).get(member.userId);
  const access = effective(structure, principalOf(member, user), page.id);
  return { memberId: member.id, role: member.role, access, type: accessType(page, member) };
}

/** The active members by id, with their users. */
export async function activeMembers(
  tx: ReadTransaction,
  structure: Structure,
  yielder: Yielder,
): Promise<{ members: readonly Member[]; users: ReadonlyMap<string, { readonly disabled: boolean }> }> {
  const members = await inSteps(
    membersById(structure, ({ active }) => active),
    yielder,
  );
  const userIds = await mapItems(members, yielder, ({ userId }) => userId);
  return { members, users: await tx.users.many(userIds) };
}

/** The members that pass a test, by id. O(members log members). */
export function* membersById(structure: Structure, passes: (member: Member) => boolean): Stepwise<readonly Member[]> {
  const found: Member[] = [];
  yield* forEachItemStepwise(structure.members(), (member) => {
    if (passes(member)) found.push(member);
  });
  return yield* sortedStepwise(found, (a, b) => (a.id < b.id ? -1 : 1));
}

const NO_USERS: ReadonlyMap<string, User> = new Map();

/**
 * The levels of members on a task, in their order; 0 for anybody but an active member. O(depth) each, once per
 * viewer; their users are read together.
 */
export async function levelsOfMembers(
  tx: ReadTransaction,
  viewer: Viewer,
  memberIds: readonly string[],
  task: Pick<Task, 'id' | 'boardId'>,
): Promise<readonly Level[]> {
  const { structure, yielder } = viewer;
  const pageId = governingPageId(structure, task);
  if (pageId === null) return memberIds.map(() => DENIED);
  const levels = (viewer.levelsOfOthers ??= new Map());
  const keyOf = (memberId: string) => `${memberId} ${pageId}`;
  const unknown = memberIds.flatMap((id) => (levels.has(keyOf(id)) ? [] : (structure.member(id) ?? [])));
  const users = unknown.length === 0 ? NO_USERS : await tx.users.many(unknown.map(({ userId }) => userId));
  const visit = (member: Member): void => {
    const level = effective(structure, principalOf(member, users.get(member.userId)), pageId);
    levels.set(keyOf(member.id), level);
  };
  await visitItems(unknown, yielder, visit);
  return memberIds.map((id) => levels.get(keyOf(id)) ?? DENIED);
}
