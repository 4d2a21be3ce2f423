import { type Ask, askById, type Doc, type Write } from './access.ts';

/**
 * Names of documents that stand for what a user is: whether disabled, which tokens. A write that depends on
 * a user writes to one of several documents of that user, one that changes the user writes to all of them. So
 * the first conflict with the second, and hardly ever with each other.
 *
 * Whoever changes a user raises `claims` in all of them: the stamp by which to tell whether anything has changed.
 */
const SLOTS = 8;
/** With more users than this a write depends on all there are. */
const FEW = 16;
const EVERYONE = '*';

/** Whom a write depends on that has read these users. */
export function dependencies(userIds: readonly string[]): readonly string[] {
  return userIds.length > FEW ? [EVERYONE] : userIds;
}

/** Brings the stamp of a user along, as the only one of `stamps`, if any. @param userId where their id is found */
export function withStamp(userId: '$_id' | '$userId') {
  return {
    $lookup: {
      from: 'locks',
      let: { slot: { $concat: ['user/', userId, '/0'] } },
      pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$slot'] } } }],
      as: 'stamps',
    },
  } as const;
}

/** The question for the stamp of a user. */
export function askStamp(userId: string): Ask {
  return askById('locks', name(userId, 0));
}

/** The stamp in its answer. */
export function stampIn([doc]: readonly Doc[]): number | null {
  return (doc?.['claims'] as number | undefined) ?? null;
}

/** @param workspaceId writes in one workspace exclude each other anyway, and share a document */
export function dependOn(userId: string, workspaceId: string | undefined): Write {
  const slot = workspaceId === undefined ? Math.floor(Math.random() * SLOTS) : slotOf(workspaceId);
  return upsert(name(userId, slot), { $inc: { seq: 1 } });
}

/** The same, if nothing of the user was changed: else it matches nothing, or collides with what is there. */
export function dependOnUnchanged(userId: string, stamp: number | null, workspaceId: string | undefined): Write {
  const slot = workspaceId === undefined ? Math.floor(Math.random() * SLOTS) : slotOf(workspaceId);
  const _id = name(userId, slot);
  const update = { $inc: { seq: 1 } };
  return stamp === null
    ? { updateOne: { filter: { _id, claims: { $exists: false } }, update, upsert: true } }
    : { updateOne: { filter: { _id, claims: stamp }, update } };
}

export function changeUser(userId: string): Write[] {
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
  return [userId, EVERYONE].flatMap((id) =>
    slots.map((slot) => upsert(name(id, slot), { $inc: { seq: 1, claims: 1 } })),
  );
}

export function upsert(_id: string, update: Record<string, Record<string, unknown>>): Write {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

function name(userId: string, slot: number): string {
  return `user/${userId}/${slot}`;
}

function slotOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return hash % SLOTS;
}
