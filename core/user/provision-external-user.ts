import type { Context, ExternalCaller } from '../ports/context.ts';
import { EspalierError } from '../kernel/errors.ts';
import { Journal, originOf } from '../write/journal/journal.ts';
import { changed, created, timestamp } from '../kernel/record.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import { foldEmail, type User } from '../model/user/user.ts';
import { logProfileChange } from './profile-change.ts';

/**
 * Thrown if an external user has no user record yet, or a new verified address: the call is repeated after
 * provisioning.
 */
export class ProvisioningRequired extends Error {
  readonly caller: ExternalCaller;

  constructor(caller: ExternalCaller) {
    super('The user must be provisioned first.');
    this.caller = caller;
  }
}

const TRIES = 5;

/**
 * Just-in-time provisioning: creates the user of an external identity, or links an existing user by the verified e-mail
 * address where the issuer is configured for that. It runs in a write of its own, so that a first call may be a read;
 * of several first calls at once, one creates the user.
 *
 * @throws `unauthenticated` if their address belongs to a user whom this issuer may not sign in
 */
export async function provision(context: Context, caller: ExternalCaller): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await context.store.write(async (tx) => {
        const journal = new Journal();
        const user = await provisioned(journal.on(tx), context, caller);
        if (context.effects !== undefined) context.effects.userId = user.id;
        await journal.append(tx, context, originOf(context));
      });
    } catch (error) {
      if (!isTaken(error) || tries === TRIES) throw error;
    }
  }
}

/** Whether an enabled user without a verified address now has one at the issuer, and it is free. */
export async function mayTakeAddress(tx: ReadTransaction, user: User, caller: ExternalCaller): Promise<boolean> {
  if (user.disabled || user.emailVerified || caller.verifiedEmail === null) return false;
  return (await tx.users.by({ email: foldEmail(caller.verifiedEmail) })) === null;
}

/** The user of an external identity. */
export async function userOfIdentity(
  tx: ReadTransaction,
  { issuer, subject }: Pick<ExternalCaller, 'issuer' | 'subject'>,
): Promise<User | null> {
  const identity = await tx.identities.by({ issuer, subject });
  return identity === null ? null : tx.users.get(identity.userId);
}

async function provisioned(tx: Transaction, context: Context, caller: ExternalCaller): Promise<User> {
  const known = await userOfIdentity(tx, caller);
  if (known !== null) return withAddress(tx, context, known, caller);
  const user = (await holderOfAddress(tx, caller)) ?? (await newUser(tx, context, caller));
  const { issuer, subject } = caller;
  const at = created(timestamp(context));
  await tx.identities.insert({ id: context.ids.next(), userId: user.id, issuer, subject, ...at });
  return user;
}

async function withAddress(tx: Transaction, context: Context, user: User, caller: ExternalCaller): Promise<User> {
  if (!(await mayTakeAddress(tx, user, caller))) return user;
  const verified = { email: foldEmail(caller.verifiedEmail ?? user.email), emailVerified: true };
  const next = changed(user, verified, timestamp(context));
  await tx.users.replace(next);
  if (context.effects !== undefined) context.effects.userId = user.id;
  await logProfileChange(tx, context, user, next);
  return next;
}

/** The existing user of the address, if the issuer is configured to link them. */
async function holderOfAddress(tx: Transaction, caller: ExternalCaller): Promise<User | null> {
  if (caller.verifiedEmail === null) return null;
  const holder = await tx.users.by({ email: foldEmail(caller.verifiedEmail) });
  if (holder === null) return null;
  const identities = await tx.identities.list('ofUser', { userId: holder.id }, { limit: Infinity });
  // The issuer knows this user under another subject: the address may have passed to another person.
  const isAnother = identities.some(({ issuer }) => issuer === caller.issuer);
  if (!caller.links || !holder.emailVerified || holder.disabled || isAnother) {
    throw new EspalierError(
      'unauthenticated',
      'The e-mail address in the token belongs to a user who signs in another way: ask an administrator of the service.',
    );
  }
  return holder;
}

/** An unverified address is not stored: its real holder would find it taken. */
async function newUser(tx: Transaction, context: Context, caller: ExternalCaller): Promise<User> {
  const id = context.ids.next();
  const user: User = {
    id,
    name: caller.name,
    email: caller.verifiedEmail === null ? `${id}@unverified.invalid` : foldEmail(caller.verifiedEmail),
    emailVerified: caller.verifiedEmail !== null,
    avatar: null,
    phone: null,
    administrator: false,
    disabled: false,
    ...created(timestamp(context)),
  };
  await tx.users.insert(user);
  return user;
}

/** Another process provisioned the user first. */
function isTaken(error: unknown): boolean {
  return error instanceof EspalierError && (error.code === 'email-taken' || error.code === 'identity-taken');
}
