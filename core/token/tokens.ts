import type { Context } from '../ports/context.ts';
import { EspalierError, invalid, notFound } from '../kernel/errors.ts';
import { created, DEFAULT_LIMIT, timestamp, type Slice, type Paging } from '../kernel/record.ts';
import { listKey, positionIn } from '../kernel/list-cursor.ts';
import { sliceOf } from '../kernel/page-slice.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import { countRevocation } from '../write/revocations.ts';
import { read, write } from '../write/transaction.ts';
import { requireAdministrator, requireUser } from '../access/identify.ts';
import type { Token } from '../model/user/token.ts';

/** What `tokens.create` takes: a new token. */
export interface CreateToken {
  /** 1-100 characters, trimmed. */
  readonly name: string;
  /** The expiry time, in the future. Absent or null: never. */
  readonly expiresAt?: string | null;
}

/** What `tokens.list` takes. */
export interface ListTokens extends Paging {}

/** A token to act as another user. */
export interface CreateTokenFor extends CreateToken {
  /** The user. */
  readonly userId: string;
}

/** Which token: what `tokens.revoke` takes. */
export interface TokenAddress {
  /** The token. */
  readonly tokenId: string;
}

/** An API token, as its user reads it. */
export interface TokenView extends Omit<Token, 'hash'> {
  /** The time of the last use, to the minute. Null: never used. ISO 8601 UTC. */
  readonly lastUsedAt: string | null;
}

/** A new token with its secret. */
export interface NewToken extends TokenView {
  /** The secret. No other answer contains it. */
  readonly token: string;
}

export function listTokens(context: Context, input: ListTokens = {}): Promise<Slice<TokenView>> {
  return read(context, async (tx) => {
    const user = await requireUser(tx, context);
    const limit = input.limit ?? DEFAULT_LIMIT;
    const list = listKey('tokens', { userId: user.id });
    const found = await tx.tokens.list(
      'ofUser',
      { userId: user.id },
      { after: positionIn(list, input.cursor), limit: limit + 1 },
    );
    const { items, next } = sliceOf(found, limit, list);
    return { items: await viewsOf(tx, items), next };
  });
}

export function createToken(context: Context, input: CreateToken): Promise<NewToken> {
  return write(context, async (tx) => {
    const user = await requireUser(tx, context);
    return insertToken(tx, context, user.id, user.id, input);
  });
}

/**
 * Creates a token to act as another user. It appears in that user's list of tokens.
 *
 * @throws `impersonation-off` for a service administrator if impersonation is disabled; never for the operator
 */
export function createTokenFor(context: Context, input: CreateTokenFor): Promise<NewToken> {
  return write(context, async (tx) => {
    const by = await requireAdministrator(tx, context);
    const user = await tx.users.get(input.userId);
    if (user === null) throw notFound();
    if (context.impersonation === false && by.user !== null && by.user.id !== user.id) {
      throw new EspalierError('impersonation-off', 'Acting as another user is disabled here.');
    }
    return insertToken(tx, context, user.id, by.user?.id ?? null, input);
  });
}

export function revokeToken(context: Context, input: TokenAddress): Promise<void> {
  return write(context, async (tx) => {
    const user = await requireUser(tx, context);
    const token = await tx.tokens.get(input.tokenId);
    if (token === null || token.userId !== user.id) throw notFound();
    await tx.tokens.remove(token);
    await countRevocation(tx);
  });
}

async function insertToken(
  tx: Transaction,
  context: Context,
  userId: string,
  createdById: string | null,
  input: CreateToken,
): Promise<NewToken> {
  const at = timestamp(context);
  // Set before anything can throw, so that a repeated call that fails here still counts as one with a secret.
  if (context.effects !== undefined) context.effects.secret = true;
  const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt).toISOString();
  if (expiresAt !== null && expiresAt <= at) throw invalid('/expiresAt', 'must be in the future');
  const { secret, hash } = context.tokenFactory.token();
  const token: Token = {
    id: context.ids.next(),
    userId,
    name: input.name.trim(),
    hash,
    expiresAt,
    createdById,
    ...created(at),
  };
  await tx.tokens.insert(token);
  return { ...viewOf(token, null), token: secret };
}

async function viewsOf(tx: ReadTransaction, tokens: readonly Token[]): Promise<TokenView[]> {
  const used = await tx.activity.of(tokens.map((token) => token.id));
  return tokens.map((token) => viewOf(token, used.get(token.id) ?? null));
}

function viewOf({ hash: _, ...token }: Token, lastUsedAt: string | null): TokenView {
  return { ...token, lastUsedAt };
}
