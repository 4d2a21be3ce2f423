import { requireAdministrator, type IdentifiedCaller } from '../access/identify.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { UserDisabling } from '../model/job.ts';
import type { User } from '../model/user/user.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { originOf } from '../write/journal/journal.ts';
import { read, write } from '../write/transaction.ts';
import { restoreAccess } from './restore-access.ts';
import { requireNotBeingDisabled, requireOtherOwnersOf, touchOwned, type CanSignIn } from './owners.ts';

/** The most memberships checked in the transaction that disables a user. More are checked in steps before it. */
const MAX_PER_WRITE = 16;
/** Owned workspaces checked by one step. */
const PER_STEP = 100;
/** The lease of a check in steps, in milliseconds: when it ends without renewal, the check counts as abandoned. */
const LEASE = 60_000;

/** Thrown to end a transaction: the user has more memberships than it checks. */
class TooManyMemberships extends Error {}

/** The check of one call, after it has ended the access of the user. */
export interface DisablingCheck {
  /** The lease, as it is stored. */
  stored: UserDisabling;
  /** The caller, who may have been an administrator until then. */
  readonly by: IdentifiedCaller;
  /** The user before that, and from then on. */
  readonly before: User;
  readonly after: User;
}

/** A user before and after their access ended. */
export type DisabledUser = Pick<DisablingCheck, 'before' | 'after'>;

/**
 * Disables a user. With many memberships, a first small commit ends their access: they count as an owner no longer, so
 * no other owner can leave because of them. Then the workspaces that they own are checked in steps. If one would be left
 * without an owner, they get their access back. The check is stored as a job that is a lease: after a crash that job
 * gives the access back.
 *
 * @param run the call; after a check, its transaction calls {@link endCheck}, else {@link requireMayBeDisabled}
 * @param endAccess disables the user, before what they own is checked; null if they are disabled
 * @throws `store-busy` if another call is disabling the user, or this one paused for too long
 */
export async function withDisablingCheck<T>(
  context: Context,
  userId: string,
  run: (check: DisablingCheck | null) => Promise<T>,
  endAccess: (tx: Transaction) => Promise<DisabledUser | null>,
): Promise<T> {
  try {
    return await run(null);
  } catch (error) {
    if (!(error instanceof TooManyMemberships)) throw error;
  }
  // The answer stored for an idempotency key is that of the whole call.
  const part: Context = { ...context, idempotencyKey: undefined };
  const check = await write(part, async (tx): Promise<DisablingCheck | null> => {
    const by = await requireAdministrator(tx, part);
    await requireNotBeingDisabled(tx, userId);
    const ended = await endAccess(tx);
    if (ended === null) return null;
    const stored = leaseOf(part, userId);
    await tx.jobs.insert(stored);
    return { stored, by, ...ended };
  });
  // Another call has disabled them meanwhile: this one has no access to give back if it fails.
  if (check === null) return withDisablingCheck(context, userId, run, endAccess);
  try {
    await checkOwned(context, check);
    return await run(check);
  } catch (error) {
    await write(part, async (tx) => {
      if (!(await isStored(tx, check))) return;
      await restoreAccess(tx, check.stored, part);
      await tx.jobs.remove(check.stored);
    });
    throw error;
  }
}

/** @throws `last-owner` if a workspace would have no other owner who can sign in */
export async function requireMayBeDisabled(tx: Transaction, user: User): Promise<void> {
  const memberships = await tx.structures.ofUser(user.id, { limit: MAX_PER_WRITE + 1 });
  if (memberships.length > MAX_PER_WRITE) throw new TooManyMemberships();
  await touchOwned(tx, memberships);
}

/**
 * Ends a check that has found other owners. A workspace that the user came to own since it began has other owners too,
 * who cannot leave because of this user.
 *
 * @throws `store-busy` if the check has taken too long
 */
export async function endCheck(tx: Transaction, check: DisablingCheck): Promise<void> {
  if (!(await isStored(tx, check)))
    throw new EspalierError('store-busy', 'The check of all workspaces of the user took too long: try again.');
  await tx.jobs.remove(check.stored);
}

/** @throws `last-owner` */
async function checkOwned(context: Context, check: DisablingCheck): Promise<void> {
  const { id: userId } = check.stored;
  // An owner who was found to stay cannot leave afterwards if this user is the only other owner: the check is stored already.
  const canSignIn: CanSignIn = new Map();
  let extended = context.clock.now();
  for (let after: string | null = null; ;) {
    const part = { after, limit: PER_STEP };
    const owned = await read(context, async (tx) => {
      const some = await tx.structures.ownedBy(userId, part);
      await requireOtherOwnersOf(tx, some, userId, canSignIn);
      return some;
    });
    if (owned.length < PER_STEP) return;
    after = owned.at(-1)!;
    if (context.clock.now() - extended > LEASE / 4) {
      extended = context.clock.now();
      await extend(context, check);
    }
    await context.yieldToEventLoop?.();
  }
}

async function extend(context: Context, check: DisablingCheck): Promise<void> {
  const next = leaseOf(context, check.stored.id);
  const isExtended = await context.store.write(async (tx) => {
    if (!(await isStored(tx, check))) return false;
    await tx.jobs.replace(next);
    return true;
  });
  if (isExtended) check.stored = next;
}

/** Whether the stored lease is that of this call. After an abandoned call it is gone, or another call has stored one. */
async function isStored(tx: Transaction, { stored }: DisablingCheck): Promise<boolean> {
  return (await tx.jobs.get(stored.workspaceId, stored.id))?.notBefore === stored.notBefore;
}

/** The lease has the id of the user, also as the id of its workspace. */
function leaseOf(context: Context, userId: string): UserDisabling {
  const notBefore = new Date(context.clock.now() + LEASE).toISOString();
  return { kind: 'user-disabling', id: userId, workspaceId: userId, notBefore, origin: originOf(context) };
}
