import { logProfileChange } from './profile-change.ts';
import type { Context } from '../ports/context.ts';
import { conflict, emailTaken, EspalierError, found } from '../kernel/errors.ts';
import { changesOf } from '../kernel/partial-update.ts';
import {
  changed,
  created,
  DEFAULT_LIMIT,
  expectVersion,
  timestamp,
  type Slice,
  type Paging,
} from '../kernel/record.ts';
import { listKey, positionIn } from '../kernel/list-cursor.ts';
import { sliceOf } from '../kernel/page-slice.ts';
import type { Transaction } from '../ports/store.ts';
import { hasStoredAnswer } from '../write/idempotency/idempotency.ts';
import { countRevocation } from '../write/revocations.ts';
import { read, write } from '../write/transaction.ts';
import { requireAdministrator, requireUser } from '../access/identify.ts';
import { foldEmail, type User } from '../model/user/user.ts';
import {
  withDisablingCheck,
  endCheck,
  requireMayBeDisabled,
  type DisabledUser,
  type DisablingCheck,
} from './disable.ts';
import { requireNotBeingDisabled } from './owners.ts';

/** What `users.create` takes: a new user. */
export interface CreateUser extends Omit<UserProfile, 'name'> {
  /** 1-200 characters, trimmed. */
  readonly name: string;
  /** The e-mail address, unique in the service ignoring case. It counts as verified. */
  readonly email: string;
  /** Whether the user may manage users of the service. This gives no access to workspaces. */
  readonly administrator?: boolean;
}

/** What `users.list` takes. */
export interface ListUsers extends Paging {
  /** Only the user with this e-mail address, ignoring case. */
  readonly email?: string;
}

/** What `me.update` takes: what users may change about themselves. */
export interface UserProfile {
  /** 1-200 characters, trimmed. */
  readonly name?: string;
  /** The URL of a picture. Null: none. */
  readonly avatar?: string | null;
  /** Null: none. */
  readonly phone?: string | null;
}

/** What `users.update` takes: a user, and the fields to change. */
export interface UpdateUser extends UserAddress, UserProfile {
  /** The e-mail address, unique in the service ignoring case. It counts as verified. */
  readonly email?: string;
  /** Whether the user is disabled. True ends their access everywhere at once. */
  readonly disabled?: boolean;
  /** Whether the user may manage users of the service. This gives no access to workspaces. */
  readonly administrator?: boolean;
}

/** Which user: what `users.get` takes. */
export interface UserAddress {
  /** The user. */
  readonly userId: string;
}

/** An e-mail address set by an administrator counts as verified. @throws `email-taken` */
export function createUser(context: Context, input: CreateUser): Promise<User> {
  return write(context, async (tx) => {
    await requireAdministrator(tx, context);
    const user: User = {
      id: context.ids.next(),
      name: input.name.trim(),
      email: foldEmail(input.email),
      emailVerified: true,
      avatar: input.avatar ?? null,
      phone: input.phone ?? null,
      administrator: input.administrator ?? false,
      disabled: false,
      ...created(timestamp(context)),
    };
    await requireFreeEmail(tx, user);
    await tx.users.insert(user);
    return answered(user);
  });
}

export function listUsers(context: Context, input: ListUsers = {}): Promise<Slice<User>> {
  return read(context, async (tx) => {
    await requireAdministrator(tx, context);
    const limit = input.limit ?? DEFAULT_LIMIT;
    const { email } = input;
    if (email !== undefined) {
      const user = await tx.users.by({ email: foldEmail(email) });
      return { items: user === null ? [] : [answered(user)], next: null };
    }
    const list = listKey('users');
    const users = await tx.users.list('all', {}, { after: positionIn(list, input.cursor), limit: limit + 1 });
    return sliceOf(users.map(answered), limit, list);
  });
}

export function getUser(context: Context, input: UserAddress): Promise<User> {
  return read(context, async (tx) => {
    await requireAdministrator(tx, context);
    return answered(found(await tx.users.get(input.userId)));
  });
}

/**
 * A new e-mail address counts as verified.
 *
 * @throws `own-email` for an administrator who changes their own address
 * @throws `email-taken`
 * @throws `last-administrator` if the service would have no active administrator
 * @throws `last-owner` for disabling the last owner of a workspace
 */
export function updateUser(context: Context, input: UpdateUser): Promise<User> {
  return withDisablingCheck(
    context,
    input.userId,
    (check) => update(context, input, check),
    (tx) => endAccess(tx, context, input.userId),
  );
}

async function endAccess(tx: Transaction, context: Context, userId: string): Promise<DisabledUser | null> {
  const user = found(await tx.users.get(userId));
  if (user.disabled) return null;
  expectVersion(context, user);
  const next = changed(user, { disabled: true }, timestamp(context));
  await requireAdministratorLeft(tx, user, next);
  await tx.users.replace(next);
  await countRevocation(tx);
  return { before: user, after: next };
}

function update(context: Context, input: UpdateUser, check: DisablingCheck | null): Promise<User> {
  // A user who has ended their own access may not repeat the call: their idempotency keys are of no use.
  const isOwn = check !== null && check.by.user?.id === input.userId;
  return write(isOwn ? { ...context, idempotencyKey: undefined } : context, async (tx) => {
    const by = check?.by ?? (await requireAdministrator(tx, context));
    const user = found(await tx.users.get(input.userId));
    const isAsMarked = check !== null && user.version === check.after.version;
    if (!isAsMarked) expectVersion(context, user);
    if (check !== null) await endCheck(tx, check);
    else if (input.disabled === true) await requireNotBeingDisabled(tx, user.id);
    const { email, ...rest } = changesOf(
      input,
      // The caller may send back what they have read.
      isAsMarked ? { ...check.before, disabled: true } : user,
      ['name', 'email', 'avatar', 'phone', 'disabled', 'administrator'],
      ['userId'],
    );
    const changes = {
      ...trimmed(rest),
      ...(email === undefined ? {} : { email: foldEmail(email), emailVerified: true }),
    };
    if (Object.keys(changes).length === 0) return answered(user);
    // The same address in other letters would count as verified, too.
    const verifiesAddress = changes.email !== undefined && (changes.email !== user.email || !user.emailVerified);
    if (verifiesAddress && by.user?.id === user.id) {
      throw new EspalierError('own-email', 'You may not change your own e-mail address: ask another administrator.');
    }
    const next = changed(user, changes, timestamp(context));
    if (next.email !== user.email) await requireFreeEmail(tx, next);
    await requireAdministratorLeft(tx, user, next);
    const isToBeChecked = next.disabled && !user.disabled && check === null;
    // A repeated call, which has a stored answer, ends no access again.
    if (isToBeChecked && !(await hasStoredAnswer(tx, context))) await requireMayBeDisabled(tx, user);
    await tx.users.replace(next);
    if (next.disabled && !user.disabled) await countRevocation(tx);
    await logProfileChange(tx, context, user, next);
    return answered(next);
  });
}

export function getMe(context: Context): Promise<User> {
  return read(context, async (tx) => answered(await requireUser(tx, context)));
}

export function updateMe(context: Context, input: UserProfile): Promise<User> {
  return write(context, async (tx) => {
    const user = await requireUser(tx, context);
    expectVersion(context, user);
    const changes = trimmed(changesOf(input, user, ['name', 'avatar', 'phone']));
    if (Object.keys(changes).length === 0) return answered(user);
    const next = changed(user, changes, timestamp(context));
    await tx.users.replace(next);
    await logProfileChange(tx, context, user, next);
    return answered(next);
  });
}

/** The caller's own copy: the record is the store's, which may share it with every later reader. */
function answered(user: User): User {
  return { ...user };
}

async function requireFreeEmail(tx: Transaction, user: User): Promise<void> {
  const holder = await tx.users.by({ email: user.email });
  if (holder !== null && holder.id !== user.id) throw emailTaken();
}

async function requireAdministratorLeft(tx: Transaction, before: User, after: User): Promise<void> {
  const was = before.administrator && !before.disabled;
  const is = after.administrator && !after.disabled;
  if (!was || is) return;
  const others = (await tx.users.list('administrators', {}, { limit: 2 })).filter((user) => user.id !== before.id);
  if (others.length === 0)
    throw conflict('last-administrator', 'The service needs an administrator: make another user administrator first.');
}

function trimmed<T extends { readonly name?: string }>(changes: T): T {
  return changes.name === undefined ? changes : { ...changes, name: changes.name.trim() };
}
