import { requireAdministrator } from '../access/identify.ts';
import { EspalierError } from '../kernel/errors.ts';
import { OWNER } from '../model/role.ts';
import type { UserDisabling } from '../model/job.ts';
import type { User } from '../model/user.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { isBeingDisabled, requireOtherOwnersOf, touchOwned } from './owners.ts';

/** The most memberships checked in the transaction that disables a user. More are checked in steps before it. */
const AT_ONCE = 16;
/** Memberships checked by one step. */
const PER_STEP = 100;
/** The lease of a check in steps, in milliseconds: when it ends without renewal, the check counts as abandoned. */
const LEASE = 60_000;

/** Thrown to end a transaction: the user has more memberships than it checks. */
class TooManyMemberships extends Error {}

/** Ids of the user's owned workspaces that were found to have another owner. */
export type Looked = ReadonlySet<string>;

/**
 * Disables a user. With many memberships, a mark first keeps the user from counting as an owner, so that no other owner
 * leaves relying on them; then the workspaces are checked in steps; then one small commit disables the user. The mark
 * is a lease, stored as a job, so a crash leaves none behind.
 *
 * @param run the call; its transaction calls `requireMayBeDisabled` with the argument given here
 * @throws `store-busy` if another call is disabling the user, or this one paused for too long
 */
export async function disabling<T>(
  context: Context,
  userId: string,
  run: (looked: Looked | null) => Promise<T>,
): Promise<T> {
  try {
    return await run(null);
  } catch (error) {
    if (!(error instanceof TooManyMemberships)) throw error;
  }
  await context.store.write(async (tx) => {
    await requireAdministrator(tx, context);
    if (await isBeingDisabled(tx, userId))
      throw new EspalierError('store-busy', 'The user is being disabled: try again.');
    await tx.jobs.insert(markOf(context, userId));
  });
  try {
    return await run(await lookAtOwned(context, userId));
  } catch (error) {
    await context.store.write((tx) => tx.jobs.remove(markOf(context, userId)));
    throw error;
  }
}

/**
 * Called in the transaction that disables a user.
 *
 * @throws `last-owner` if a workspace would have no other owner who can sign in
 */
export async function requireMayBeDisabled(tx: Transaction, user: User, looked: Looked | null): Promise<void> {
  if (looked === null) {
    const memberships = await tx.structures.ofUser(user.id, { limit: AT_ONCE + 1 });
    if (memberships.length > AT_ONCE) throw new TooManyMemberships();
    return touchOwned(tx, memberships);
  }
  const mark = await tx.jobs.get(user.id, user.id);
  if (mark === null)
    throw new EspalierError('store-busy', 'It took too long to look at all their workspaces: try again.');
  await tx.jobs.remove(mark);
  // A write that makes them an owner reads the user, so it is serialised before this one, or finds them disabled.
  const added = (await tx.structures.ofUser(user.id)).filter(({ workspace }) => !looked.has(workspace.id));
  await touchOwned(tx, added);
}

async function lookAtOwned(context: Context, userId: string): Promise<Looked> {
  const looked = new Set<string>();
  let extended = context.clock.now();
  for (let after: string | null = null; ;) {
    const part = { after, limit: PER_STEP };
    const memberships = await read(context, async (tx) => {
      const some = await tx.structures.ofUser(userId, part);
      const owned = some.filter(({ member }) => member.role === OWNER).map(({ workspace }) => workspace.id);
      await requireOtherOwnersOf(tx, owned, userId);
      return some;
    });
    for (const { workspace, member } of memberships) if (member.role === OWNER) looked.add(workspace.id);
    if (memberships.length < PER_STEP) return looked;
    after = memberships.at(-1)!.workspace.id;
    if (context.clock.now() - extended > LEASE / 4) {
      extended = context.clock.now();
      await context.store.write(async (tx) => {
        if (await isBeingDisabled(tx, userId)) await tx.jobs.replace(markOf(context, userId));
      });
    }
    await context.yieldToEventLoop?.();
  }
}

/** The mark is found by the user's id, which is used as workspace id too. */
function markOf(context: Context, userId: string): UserDisabling {
  const notBefore = new Date(context.clock.now() + LEASE).toISOString();
  return { kind: 'user-disabling', id: userId, workspaceId: userId, notBefore };
}
