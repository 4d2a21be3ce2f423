import type { BoardAddress } from '../model/address.ts';
import { EDIT } from '../model/access/level.ts';
import { viewerOf, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { found, invalid } from '../kernel/errors.ts';
import { METADATA, metadataBytes } from '../model/metadata.ts';
import type { Page } from '../model/workspace/page.ts';
import { seenPage } from '../page/read.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import { write } from '../write/transaction.ts';
import { partsOf, type Board, type Status } from '../model/content/board.ts';
import { statusView, type StatusView } from './view.ts';
import { visibleCounts } from './visible-counts.ts';

/** The address of a status of a board. */
export interface StatusAddress extends BoardAddress {
  /** The status. */
  readonly statusId: string;
}

/** Runs a write on a board that the caller may edit. */
export function editBoard<T>(
  context: Context,
  address: BoardAddress,
  work: (tx: Transaction, viewer: Viewer, board: Board) => Promise<T>,
): Promise<T> {
  return write(context, async (tx) => {
    const { viewer, board } = await boardAt(tx, context, address, EDIT);
    return work(tx, viewer, board);
  });
}

/**
 * Saves a board after a status or tag was written.
 *
 * @throws `invalid-input` if their metadata grew and all of it together exceeds {@link METADATA}
 */
export async function replaceParts(tx: Transaction, before: Board, after: Board): Promise<void> {
  const bytes = metadataBytes(partsOf(after));
  const most = METADATA.bytesOfParts;
  if (bytes > most && bytes > metadataBytes(partsOf(before))) {
    throw invalid(
      '/metadata',
      `makes the metadata of all statuses and tags of the board larger than ${most} bytes of JSON`,
    );
  }
  await tx.boards.replace(after);
}

/** @throws `not-found` if it is not a board or the caller may not see it, `forbidden` below what is needed */
export async function boardAt(
  tx: ReadTransaction,
  context: Context,
  address: BoardAddress,
  needs: 100 | 300,
): Promise<{ readonly viewer: Viewer; readonly page: Page; readonly board: Board }> {
  const [viewer, stored] = await Promise.all([
    viewerOf(tx, context, address.workspaceId),
    tx.boards.get(address.workspaceId, address.boardId),
  ]);
  const board = found(stored);
  return { viewer, page: seenPage(viewer, address.boardId, needs), board };
}

export async function statusViewOf(
  tx: ReadTransaction,
  viewer: Viewer,
  board: Board,
  status: Status,
): Promise<StatusView> {
  const counts = await visibleCounts(tx, viewer, board.id);
  return statusView(status, counts.get(status.id) ?? 0);
}
