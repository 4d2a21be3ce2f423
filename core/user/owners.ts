import { OWNER } from '../model/role.ts';
import { conflict, type EspalierError } from '../kernel/errors.ts';
import type { Member } from '../model/member.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import { inSteps, lookAtEach } from '../kernel/stepwise.ts';
import { AT_ONCE, type Yielder } from '../ports/yielder.ts';

/**
 * A workspace keeps at least one owner who can sign in.
 *
 * @throws `last-owner` if `leaving` is the only one, or all others are disabled or being disabled
 */
export async function requireOtherOwner(
  tx: ReadTransaction,
  structure: Structure,
  leaving: Member,
  yielder: Yielder = AT_ONCE,
): Promise<void> {
  const owners: Member[] = [];
  const look = (member: Member): void => {
    if (member.active && member.role === OWNER) owners.push(member);
  };
  await inSteps(lookAtEach(structure.members(), look), yielder);
  if (!(await isAnyStaying(tx, owners, leaving.userId))) throw lastOwner();
}

/**
 * Like {@link requireOtherOwner} for several workspaces, without reading their structures: as many round trips as for
 * one.
 */
export async function requireOtherOwnersOf(
  tx: ReadTransaction,
  workspaceIds: readonly string[],
  userId: string,
): Promise<void> {
  const owners = await Promise.all(workspaceIds.map((id) => tx.structures.owners(id)));
  const staying = await Promise.all(owners.map((of) => isAnyStaying(tx, of, userId)));
  if (staying.includes(false)) throw lastOwner();
}

/** Owners that are looked at in one query: mostly the first of them stays. */
const LOOKED_AT = 50;

async function isAnyStaying(tx: ReadTransaction, owners: readonly Member[], leavingId: string): Promise<boolean> {
  const others = owners.filter(({ userId }) => userId !== leavingId);
  for (let from = 0; from < others.length; from += LOOKED_AT) {
    const some = others.slice(from, from + LOOKED_AT);
    const users = await tx.users.many(some.map(({ userId }) => userId));
    for (const { userId } of some) {
      if (users.get(userId)?.disabled === false && !(await isBeingDisabled(tx, userId))) return true;
    }
  }
  return false;
}

/** Whether a check is in progress of whether a user may be disabled: they no longer count as an owner. */
export async function isBeingDisabled(tx: Pick<ReadTransaction, 'jobs'>, userId: string): Promise<boolean> {
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
