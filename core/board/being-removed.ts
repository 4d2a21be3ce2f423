import { jobsOf } from '../jobs/jobs-of.ts';
import { conflict, type EspalierError } from '../kernel/errors.ts';
import type { Board, Status } from '../model/content/board.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** @throws `being-removed` if it is */
export function requireNotBeingRemoved({ removal }: { readonly removal?: unknown }, what: 'status' | 'tag'): void {
  if (removal !== undefined)
    throw beingRemoved(`The ${what} is being removed: it accepts no changes and no new tasks.`);
}

/** @throws `being-removed` if one of these tags of the board is */
export function requireTagsNotBeingRemoved(board: Board, tags: readonly string[]): void {
  for (const tag of board.tags) {
    if (tag.removal !== undefined && tags.includes(tag.id)) requireNotBeingRemoved(tag, 'tag');
  }
}

/**
 * A status to which tasks are being moved cannot be removed, and a status that is being removed takes no tasks.
 *
 * @throws `being-removed`
 */
export function requireRemovable(board: Board, status: Status, target: Status | undefined): void {
  if (board.statuses.some(({ removal }) => removal?.moveTo === status.id)) {
    throw beingRemoved('The tasks of another status are being moved to this one: try again when they are moved.');
  }
  if (target !== undefined) requireNotBeingRemoved(target, 'status');
}

/** The most statuses and tags of one workspace that may be in removal at once. */
const MAX_PARTS = 100;

/** @throws `being-removed` if too many statuses and tags of the workspace are */
export async function requireFewRemovals(tx: ReadTransaction, workspaceId: string): Promise<void> {
  const jobs = await jobsOf(tx, workspaceId);
  const removals = jobs.filter(({ kind }) => kind === 'status-removal' || kind === 'tag-removal');
  if (removals.length >= MAX_PARTS)
    throw beingRemoved('Too many statuses and tags of the workspace are being removed: try again in a minute.');
}

function beingRemoved(detail: string): EspalierError {
  return conflict('being-removed', detail);
}
