import { type Query, queryById, type Doc, type Write } from '../query/query.ts';

/**
 * Names of documents that stand for what a user is: whether disabled, which tokens. A write that depends on
 * a user writes to one of several documents of that user, one that changes the user writes to all of them. So
 * the first conflict with the second, and hardly ever with each other.
 *
 * Whoever changes a user raises `claims` in all of them: the version by which to tell whether anything has changed.
 */
const STRIPES = 8;
/** With more users than this a write depends on all there are. */
const FEW = 16;
const ALL_USERS = '*';

/** Whom a write depends on that has read these users. */
export function dependencies(userIds: readonly string[]): readonly string[] {
  return userIds.length > FEW ? [ALL_USERS] : userIds;
}

/** Brings the version of a user along, as the only one of `versions`, if any. @param userId where their id is found */
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

/** The question for the version of a user. */
export function queryUserVersion(userId: string): Query {
  return queryById('locks', name(userId, 0));
}

/** The version in its answer. */
export function userVersionIn([doc]: readonly Doc[]): number | null {
  return (doc?.['claims'] as number | undefined) ?? null;
}

/** @param workspaceId writes in one workspace exclude each other anyway, and share a document */
export function dependOn(userId: string, workspaceId: string | undefined): Write {
  const stripe = workspaceId === undefined ? Math.floor(Math.random() * STRIPES) : stripeOf(workspaceId);
  return upsert(name(userId, stripe), { $inc: { seq: 1 } });
}

/** The same, if nothing of the user was changed: else it matches nothing, or collides with what is there. */
export function dependOnUnchanged(userId: string, version: number | null, workspaceId: string | undefined): Write {
  const stripe = workspaceId === undefined ? Math.floor(Math.random() * STRIPES) : stripeOf(workspaceId);
  const _id = name(userId, stripe);
  const update = { $inc: { seq: 1 } };
  return version === null
    ? { updateOne: { filter: { _id, claims: { $exists: false } }, update, upsert: true } }
    : { updateOne: { filter: { _id, claims: version }, update } };
}

export function changeUser(userId: string): Write[] {
  const slots = Array.from({ length: STRIPES }, (_, stripe) => stripe);
  return [userId, ALL_USERS].flatMap((id) =>
    slots.map((stripe) => upsert(name(id, stripe), { $inc: { seq: 1, claims: 1 } })),
  );
}

export function upsert(_id: string, update: Record<string, Record<string, unknown>>): Write {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

function name(userId: string, stripe: number): string {
  return `user/${userId}/${stripe}`;
}

function stripeOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
