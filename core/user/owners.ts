import { slicesOf } from '../kernel/slices.ts';
import { OWNER } from '../model/access/role.ts';
import { conflict, EspalierError } from '../kernel/errors.ts';
import type { Member } from '../model/workspace/member.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { visitItems } from '../kernel/stepwise.ts';
import { NEVER_YIELD, type Yielder } from '../ports/yielder.ts';

/**
 * A workspace keeps at least one owner who can sign in.
 *
 * @throws `last-owner` if `leaving` is the only one, or all others are disabled or being disabled
 */
export async function requireOtherOwner(
  tx: ReadTransaction,
  structure: Structure,
  leaving: Member,
  yielder: Yielder = NEVER_YIELD,
): Promise<void> {
  const others: string[] = [];
  const visit = ({ active, role, userId }: Member): void => {
    if (active && role === OWNER && userId !== leaving.userId) others.push(userId);
  };
  await visitItems(structure.members(), yielder, visit);
  await requireAnyStaying(tx, [others]);
}

/** Whether a user can sign in and is not being disabled, as found so far. */
export type CanSignIn = Map<string, boolean>;

/**
 * Like {@link requireOtherOwner} for several workspaces, without reading their structures: as many round trips as for
 * one.
 *
 * @param stays what is known of the other owners; what is found out is added
 */
export async function requireOtherOwnersOf(
  tx: ReadTransaction,
  workspaceIds: readonly string[],
  userId: string,
  stays: CanSignIn,
): Promise<void> {
  const others = new Map<string, string[]>(workspaceIds.map((id) => [id, []]));
  for (const owner of await tx.structures.owners(workspaceIds)) {
    if (owner.userId !== userId) others.get(owner.workspaceId)?.push(owner.userId);
  }
  await requireAnyStaying(tx, [...others.values()], stays);
}

/**
 * Checked in the transaction that puts a workspace with these owners in place.
 *
 * @throws `store-busy` if all of them are disabled or being disabled by now
 */
export async function requireAnOwner(tx: Transaction, userIds: readonly string[]): Promise<void> {
  const stays: CanSignIn = new Map();
  for (const some of slicesOf(userIds, OWNERS_PER_QUERY)) {
    await checkUsers(tx, some, stays);
    if (some.some((id) => stays.get(id) === true)) return;
  }
  throw new EspalierError('store-busy', 'None of the owners of the workspace can sign in now: try again.');
}

/**
 * Checked where a user becomes the only owner of a workspace: a check of their workspaces in steps may have passed this
 * one already.
 *
 * @throws `store-busy`
 */
export async function requireNotBeingDisabled(tx: Transaction, userId: string): Promise<void> {
  if (await isBeingDisabled(tx, userId))
    throw new EspalierError('store-busy', 'The user is being disabled: try again.');
}

/** Owners of each workspace that the first query reads: mostly the first of them can sign in. */
const OWNERS_IN_FIRST_QUERY = 1;
const OWNERS_PER_QUERY = 50;

/**
 * @param owners user ids of the other owners, by workspace
 * @throws `last-owner` if in any workspace none of them can sign in, or all who can are being disabled
 */
async function requireAnyStaying(
  tx: ReadTransaction,
  owners: readonly (readonly string[])[],
  stays: CanSignIn = new Map(),
): Promise<void> {
  let from = 0;
  for (
    let waiting = owners, count = OWNERS_IN_FIRST_QUERY;
    waiting.length > 0;
    from += count, count = OWNERS_PER_QUERY
  ) {
    const asked = new Set(waiting.flatMap((userIds) => userIds.slice(from, from + count)));
    await checkUsers(
      tx,
      [...asked].filter((id) => !stays.has(id)),
      stays,
    );
    const end = from + count;
    waiting = waiting.filter((userIds) => !userIds.slice(from, end).some((id) => stays.get(id) === true));
    if (waiting.some((userIds) => userIds.length <= end)) throw lastOwner();
  }
}

/** Finds out who can sign in and is not being disabled. */
async function checkUsers(tx: ReadTransaction, userIds: readonly string[], stays: CanSignIn): Promise<void> {
  const users = await tx.users.many(userIds);
  const enabled = userIds.filter((id) => users.get(id)?.disabled === false);
  const leaving = await Promise.all(enabled.map((id) => isBeingDisabled(tx, id)));
  for (const id of userIds) stays.set(id, false);
  for (const [n, id] of enabled.entries()) stays.set(id, !leaving[n]!);
}

/** Whether a check is in progress of whether a user may be disabled: they no longer count as an owner. */
async function isBeingDisabled(tx: Pick<ReadTransaction, 'jobs'>, userId: string): Promise<boolean> {
  return (await tx.jobs.get(userId, userId)) !== null;
}

/**
 * Checks that owned workspaces keep another owner, and makes the transaction conflict with every concurrent change of
 * their owners. @throws `last-owner`
 */
export async function touchOwned(
  tx: Transaction,
  memberships: readonly { readonly workspace: { readonly id: string }; readonly member: Member }[],
): Promise<void> {
  for (const { workspace, member } of memberships) {
    if (member.role !== OWNER) continue;
    const structure = await tx.structures.get(workspace.id);
    if (structure === null) continue;
    await requireOtherOwner(tx, structure, member);
    await tx.structures.change(structure, {});
  }
}

function lastOwner(): EspalierError {
  return conflict('last-owner', 'A workspace needs an owner who can sign in: make another member owner first.');
}
