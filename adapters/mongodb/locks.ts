/**
 * Names of documents that stand for what a user is: whether disabled, which tokens. A write that depends on
 * a user writes to one of several documents of that user, one that changes the user writes to all of them. So
 * the first conflict with the second, and hardly ever with each other.
 */
const SLOTS = 8;
/** With more users than this a write depends on all there are. */
const FEW = 16;
const EVERYONE = '*';

/** @param workspaceId writes in one workspace exclude each other anyway, and share a document */
export function dependencies(userIds: readonly string[], workspaceId: string | undefined): string[] {
  const slot = workspaceId === undefined ? Math.floor(Math.random() * SLOTS) : slotOf(workspaceId);
  const users = userIds.length > FEW ? [EVERYONE] : userIds;
  return users.map((id) => name(id, slot));
}

export function exclusively(userId: string): string[] {
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
  return [userId, EVERYONE].flatMap((id) => slots.map((slot) => name(id, slot)));
}

function name(userId: string, slot: number): string {
  return `user/${userId}/${slot}`;
}

function slotOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return hash % SLOTS;
}
