import { requireAdministrator, type Identified } from '../access/identify.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { UserDisabling } from '../model/job.ts';
import type { User } from '../model/user/user.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { originOf } from '../write/journal/journal.ts';
import { read, write } from '../write/transaction.ts';
import { giveAccessBack } from './give-access-back.ts';
import { requireNotBeingDisabled, requireOtherOwnersOf, touchOwned, type CanSignIn } from './owners.ts';

/** The most memberships checked in the transaction that disables a user. More are checked in steps before it. */
const AT_ONCE = 16;
/** Owned workspaces checked by one step. */
const PER_STEP = 100;
/** The lease of a check in steps, in milliseconds: when it ends without renewal, the check counts as abandoned. */
const LEASE = 60_000;

/** Thrown to end a transaction: the user has more memberships than it checks. */
class TooManyMemberships extends Error {}

/** The mark of this call, which ended the access of the user. */
export interface OwnMark {
  /** As it is stored. */
  stored: UserDisabling;
  /** The caller, who may have been an administrator until then. */
  readonly by: Identified;
  /** The user before that, and from then on. */
  readonly before: User;
  readonly after: User;
}

/** A user before and after their access ended. */
export type Ended = Pick<OwnMark, 'before' | 'after'>;

/**
 * Disables a user. With many memberships, a first small commit ends their access: they count as an owner no longer, so
 * no other owner leaves relying on them. Then the workspaces that they own are checked in steps. If one would be left
 * without an owner, they get their access back. A mark, stored as a job that is a lease, stands for the check: after a
 * crash that job gives the access back.
 *
 * @param run the call; given a mark, its transaction calls {@link endCheck}, else {@link requireMayBeDisabled}
 * @param endAccess disables the user, before what they own is checked
 * @throws `store-busy` if another call is disabling the user, or this one paused for too long
 */
export async function disabling<T>(
  context: Context,
  userId: string,
  run: (mark: OwnMark | null) => Promise<T>,
  endAccess: (tx: Transaction) => Promise<Ended>,
): Promise<T> {
  try {
    return await run(null);
  } catch (error) {
    if (!(error instanceof TooManyMemberships)) throw error;
  }
  // The answer that is kept for a key is that of the call as a whole.
  const part: Context = { ...context, idempotencyKey: undefined };
  const mark = await write(part, async (tx): Promise<OwnMark> => {
    const by = await requireAdministrator(tx, part);
    await requireNotBeingDisabled(tx, userId);
    const ended = await endAccess(tx);
    const stored = markOf(part, userId);
    await tx.jobs.insert(stored);
    return { stored, by, ...ended };
  });
  try {
    await checkOwned(context, mark);
    return await run(mark);
  } catch (error) {
    await write(part, async (tx) => {
      if (!(await isStored(tx, mark))) return;
      await giveAccessBack(tx, mark.stored, part);
      await tx.jobs.remove(mark.stored);
    });
    throw error;
  }
}

/** @throws `last-owner` if a workspace would have no other owner who can sign in */
export async function requireMayBeDisabled(tx: Transaction, user: User): Promise<void> {
  const memberships = await tx.structures.ofUser(user.id, { limit: AT_ONCE + 1 });
  if (memberships.length > AT_ONCE) throw new TooManyMemberships();
  await touchOwned(tx, memberships);
}

/**
 * Ends a check that has found other owners. What the user has come to own since it began has others too, who cannot go
 * relying on them.
 *
 * @throws `store-busy` if the check has taken too long
 */
export async function endCheck(tx: Transaction, mark: OwnMark): Promise<void> {
  if (!(await isStored(tx, mark)))
    throw new EspalierError('store-busy', 'It took too long to look at all their workspaces: try again.');
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
  return { kind: 'user-disabling', id: userId, workspaceId: userId, notBefore, origin: originOf(context) };
}
