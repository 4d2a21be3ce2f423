import { type Doc, type Query, queryById, type Write } from '../query/query.ts';

/**
 * The lock documents of users, eight stripes for each. A transaction that reads a user writes to one stripe, one that
 * changes the user writes to all of them: so readers conflict with a change, and hardly ever with each other.
 *
 * A change also raises `claims` in all stripes. That number is the user's version: what was read of a user, their tokens
 * and identities is valid while it is the same. 0: nothing of the user was ever changed.
 */
const STRIPES = 8;
/** A transaction that reads more users than this locks all users there are. */
const FEW = 16;
const ALL_USERS = '*';

/** Whose locks cover a read of these users. */
export function lockedFor(userIds: readonly string[]): readonly string[] {
  return userIds.length > FEW ? [ALL_USERS] : userIds;
}

/** A stage that brings the version of a user along, in `versions`. @param userId where the user's id is found */
export function withUserVersion(userId: '$_id' | '$userId') {
  return {
    $lookup: {
      from: 'locks',
      let: { stripe: { $concat: ['user/', userId, '/0'] } },
      pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$stripe'] } } }],
      as: 'versions',
    },
  } as const;
}

export function queryUserVersion(userId: string): Query {
  return queryById('locks', nameOf(userId, 0));
}

/** The version in the answer to {@link queryUserVersion}, or in `versions`. */
export function userVersionIn([doc]: readonly Doc[]): number {
  return (doc?.['claims'] as number | undefined) ?? 0;
}

/** @param workspaceId of the transaction: those of one workspace exclude each other anyway, and share a stripe */
export function lockForRead(userId: string, workspaceId: string | undefined): Write {
  return upsert(nameOf(userId, stripeFor(workspaceId)), { $inc: { seq: 1 } });
}

/** The same if the user has this version; else it matches nothing, or collides with the document that is there. */
export function lockForReadAt(userId: string, version: number, workspaceId: string | undefined): Write {
  const _id = nameOf(userId, stripeFor(workspaceId));
  const update = { $inc: { seq: 1 } };
  return version === 0
    ? { updateOne: { filter: { _id, claims: { $exists: false } }, update, upsert: true } }
    : { updateOne: { filter: { _id, claims: version }, update } };
}

export function lockForChange(userId: string): Write[] {
  const stripes = Array.from({ length: STRIPES }, (_, stripe) => stripe);
  return [userId, ALL_USERS].flatMap((id) =>
    stripes.map((stripe) => upsert(nameOf(id, stripe), { $inc: { seq: 1, claims: 1 } })),
  );
}

export function upsert(_id: string, update: Record<string, Record<string, unknown>>): Write {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

function nameOf(userId: string, stripe: number): string {
  return `user/${userId}/${stripe}`;
}

function stripeFor(workspaceId: string | undefined): number {
  if (workspaceId === undefined) return Math.floor(Math.random() * STRIPES);
  let hash = 0;
  for (let i = 0; i < workspaceId.length; i += 1) hash = (hash * 31 + workspaceId.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
