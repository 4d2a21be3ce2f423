import { requireAdministrator } from '../access/identify.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { UserDisabling } from '../model/job.ts';
import type { User } from '../model/user/user.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { requireNotBeingDisabled, requireOtherOwnersOf, touchOwned, type CanSignIn } from './owners.ts';

/** The most memberships checked in the transaction that disables a user. More are checked in steps before it. */
const AT_ONCE = 16;
/** Owned workspaces checked by one step. */
const PER_STEP = 100;
/** The lease of a check in steps, in milliseconds: when it ends without renewal, the check counts as abandoned. */
const LEASE = 60_000;

/** Thrown to end a transaction: the user has more memberships than it checks. */
class TooManyMemberships extends Error {}

/** The mark of this call as it is stored, or will be. */
export interface OwnMark {
  stored: UserDisabling;
}

/**
 * Disables a user. With many memberships, a mark first keeps the user from counting as an owner, so that no other owner
 * leaves relying on them, and from creating workspaces; then the workspaces that they own are checked in steps; then one
 * small commit disables the user. The mark is a lease, stored as a job, so a crash leaves none behind.
 *
 * @param run the call; its transaction calls `requireMayBeDisabled` with the argument given here
 * @throws `store-busy` if another call is disabling the user, or this one paused for too long
 */
export async function disabling<T>(
  context: Context,
  userId: string,
  run: (mark: OwnMark | null) => Promise<T>,
): Promise<T> {
  try {
    return await run(null);
  } catch (error) {
    if (!(error instanceof TooManyMemberships)) throw error;
  }
  const mark: OwnMark = { stored: markOf(context, userId) };
  await context.store.write(async (tx) => {
    await requireAdministrator(tx, context);
    await requireNotBeingDisabled(tx, userId);
    await tx.jobs.insert(mark.stored);
  });
  try {
    await checkOwned(context, mark);
    return await run(mark);
  } catch (error) {
    await context.store.write(async (tx) => {
      if (await isStored(tx, mark)) await tx.jobs.remove(mark.stored);
    });
    throw error;
  }
}

/**
 * Called in the transaction that disables a user.
 *
 * @param mark set before the workspaces that they own were checked; null: they were not
 * @throws `last-owner` if a workspace would have no other owner who can sign in
 */
export async function requireMayBeDisabled(tx: Transaction, user: User, mark: OwnMark | null): Promise<void> {
  if (mark === null) {
    const memberships = await tx.structures.ofUser(user.id, { limit: AT_ONCE + 1 });
    if (memberships.length > AT_ONCE) throw new TooManyMemberships();
    return touchOwned(tx, memberships);
  }
  if (!(await isStored(tx, mark)))
    throw new EspalierError('store-busy', 'It took too long to look at all their workspaces: try again.');
  // What they have come to own since the mark was set has other owners, who cannot go relying on them.
  await tx.jobs.remove(mark.stored);
}

/** @throws `last-owner` */
async function checkOwned(context: Context, mark: OwnMark): Promise<void> {
  const { id: userId } = mark.stored;
  // Who was found to stay cannot go afterwards where this user is the only other owner: the mark is there already.
  const stays: CanSignIn = new Map();
  let extended = context.clock.now();
  for (let after: string | null = null; ;) {
    const part = { after, limit: PER_STEP };
    const owned = await read(context, async (tx) => {
      const some = await tx.structures.ownedBy(userId, part);
      await requireOtherOwnersOf(tx, some, userId, stays);
      return some;
    });
    if (owned.length < PER_STEP) return;
    after = owned.at(-1)!;
    if (context.clock.now() - extended > LEASE / 4) {
      extended = context.clock.now();
      await extend(context, mark);
    }
    await context.yieldToEventLoop?.();
  }
}

async function extend(context: Context, mark: OwnMark): Promise<void> {
  const next = markOf(context, mark.stored.id);
  const isExtended = await context.store.write(async (tx) => {
    if (!(await isStored(tx, mark))) return false;
    await tx.jobs.replace(next);
    return true;
  });
  if (isExtended) mark.stored = next;
}

/** Whether the stored mark is that of this call: of an abandoned call it is gone, and may have been set by another. */
async function isStored(tx: Transaction, { stored }: OwnMark): Promise<boolean> {
  return (await tx.jobs.get(stored.workspaceId, stored.id))?.notBefore === stored.notBefore;
}

/** The mark is found by the user's id, which is used as workspace id too. */
function markOf(context: Context, userId: string): UserDisabling {
  const notBefore = new Date(context.clock.now() + LEASE).toISOString();
  return { kind: 'user-disabling', id: userId, workspaceId: userId, notBefore };
}
