import type { Caller, Context, ExternalCaller } from '../ports/context.ts';
import { EspalierError, forbidden, unauthenticated } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Token } from '../model/user/token.ts';
import { mayTakeAddress, ProvisioningRequired, userOfIdentity } from '../user/provision-external-user.ts';
import type { User } from '../model/user/user.ts';

/** The caller with their stored user and token. The operator has no user. */
export type IdentifiedCaller =
  | { readonly user: User; readonly token: Token | null }
  | { readonly user: null; readonly token: null };

/**
 * @throws `unauthenticated` for an unknown or disabled user, and an unknown, revoked or expired token
 * @throws ProvisioningRequired for an external user whose account must first be created or updated
 */
export async function identify(tx: ReadTransaction, context: Context): Promise<IdentifiedCaller> {
  const { caller } = context;
  if (caller.kind === 'operator') return identified(context, { user: null, token: null });
  if (caller.kind === 'user') {
    const user = await tx.users.get(caller.userId);
    if (user === null || user.disabled) throw unauthenticated();
    return identified(context, { user, token: null });
  }
  if (caller.kind === 'external') {
    if (isExpired(expiryOf(caller), context)) throw unauthenticated();
    return identified(context, { user: await identifyExternal(tx, context, caller), token: null });
  }
  const token = await tx.tokens.by({ hash: caller.hash });
  const user = token === null ? null : await tx.users.get(token.userId);
  if (token === null || user === null || user.disabled || isExpired(token.expiresAt, context)) throw unauthenticated();
  context.effects?.active.add(token.id);
  return identified(context, { user, token });
}

/** Notes who calls in the effects of the call. */
function identified({ effects, caller }: Context, found: IdentifiedCaller): IdentifiedCaller {
  if (effects !== undefined) {
    effects.userId = found.user?.id ?? null;
    effects.tokenId = found.token?.id ?? null;
    effects.expiresAt = found.token?.expiresAt ?? expiryOf(caller);
  }
  return found;
}

async function identifyExternal(tx: ReadTransaction, { effects }: Context, caller: ExternalCaller): Promise<User> {
  const user = await userOfIdentity(tx, caller);
  // A long call identifies its caller several times. Later it may have sent a part of its answer, so it is not repeated
  // to store a new address.
  const isFirst = (effects?.userId ?? null) === null;
  if (user === null || (isFirst && (await mayTakeAddress(tx, user, caller)))) throw new ProvisioningRequired(caller);
  if (user.disabled) throw unauthenticated();
  return user;
}

/** When the claims of the issuer expire: a long call may outlive them. */
function expiryOf(caller: Caller): string | null {
  return caller.kind === 'external' ? (caller.expiresAt ?? null) : null;
}

function isExpired(expiresAt: string | null, context: Context): boolean {
  return expiresAt !== null && expiresAt <= timestamp(context);
}

/** @throws `unauthenticated` for the operator, who is not a user */
export async function requireUser(tx: ReadTransaction, context: Context): Promise<User> {
  const { user } = await identify(tx, context);
  if (user === null) throw new EspalierError('unauthenticated', 'The operator is not a user: name a user to act as.');
  return user;
}

/** Lets service administrators and the operator pass. @throws `forbidden` */
export async function requireAdministrator(tx: ReadTransaction, context: Context): Promise<IdentifiedCaller> {
  const who = await identify(tx, context);
  if (who.user !== null && !who.user.administrator) throw forbidden('This needs a service administrator.');
  return who;
}
