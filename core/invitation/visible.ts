import type { Viewer } from '../access/viewer.ts';
import { invalid } from '../kernel/errors.ts';
import { cursorIn } from '../kernel/list-cursor.ts';
import { sliceOf } from '../kernel/page-slice.ts';
import type { Slice } from '../kernel/record.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** Invitations that one call reads, at most, and those of the same millisecond as the last of them. */
const MAX_CHECKED = 5_000;

/** Begins a position that is a time: after all invitations made until then. Others are ids of visible invitations. */
const TIME = '@';

/** Where a part of the list begins. */
type Start = Partial<Pick<Invitation, 'createdAt' | 'id'>> | null;

/**
 * Up to `limit` invitations that the viewer may see, from a position on. A part that ends among others names no id of
 * them, which would be a secret, but a time.
 *
 * @param list the key of the list
 */
export async function visibleInvitations(
  tx: ReadTransaction,
  viewer: Viewer,
  position: string | null,
  limit: number,
  list: string,
): Promise<Slice<Invitation>> {
  const workspaceId = viewer.structure.workspace.id;
  let start = await startOf(tx, workspaceId, position);
  if (start === undefined) return { items: [], next: null };
  const shown: Invitation[] = [];
  let checked = 0;
  let [time, timeBefore] = ['', ''];
  for (;;) {
    const some: readonly Invitation[] = await tx.invitations.list(
      'ofWorkspace',
      { workspaceId },
      { after: start, limit: limit + 1 },
    );
    for (const invitation of some) {
      if (invitation.createdAt !== time) [time, timeBefore] = [invitation.createdAt, time];
      if (invitation.role <= viewer.member.role) shown.push(invitation);
    }
    if (some.length <= limit || shown.length > limit) return sliceOf(shown, limit, list);
    checked += some.length;
    start = some.at(-1)!;
    if (checked < MAX_CHECKED || timeBefore === '') continue;
    const items = shown.filter(({ createdAt }) => createdAt !== time);
    return { items, next: cursorIn(list, TIME + timeBefore) };
  }
}

/** Undefined if there is nothing after the position. @throws `invalid-input` for no position at all */
async function startOf(tx: ReadTransaction, workspaceId: string, position: string | null): Promise<Start | undefined> {
  if (position === null) return null;
  if (position.startsWith(TIME)) {
    const time = new Date(position.slice(TIME.length));
    if (Number.isNaN(time.getTime())) throw invalid('/cursor', 'is not a cursor of this list');
    return { createdAt: time.toISOString() };
  }
  const last = await tx.invitations.get(position);
  return last?.workspaceId === workspaceId ? last : undefined;
}
