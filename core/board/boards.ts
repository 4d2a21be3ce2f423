import type { WorkspaceAddress, BoardAddress } from '../model/address.ts';
import { EDIT, VIEW } from '../model/access/level.ts';
import { viewerOf } from '../access/viewer.ts';
import { throwIfCopyFailed } from '../copy/failed.ts';
import { shownOrder, type ShownOrder } from '../page/shown-order.ts';
import type { Context } from '../ports/context.ts';
import { requireFreeExternalId } from '../purge/release-external-id.ts';
import { found } from '../kernel/errors.ts';
import { insertPage, newPage } from '../page/create.ts';
import { removePage, deleteInTwoPhases, type Deletion } from '../page/delete.ts';
import { requireParent } from '../page/place.ts';
import { recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { inSteps, forEachStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { changed, expectVersion, timestamp, type Expanding } from '../kernel/record.ts';
import { slicesOf } from '../kernel/slices.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { read, write } from '../write/transaction.ts';
import { newBoard } from '../model/content/board.ts';
import { boardAt } from './edit.ts';
import {
  boardsWithNames,
  boardSummary,
  boardView,
  type BoardExpansion,
  type BoardSummary,
  type BoardView,
} from './view.ts';
import { visibleCounts, cachedVisibleCounts } from './visible-counts.ts';

/** What `boards.create` takes: a new board. */
export interface CreateBoard extends WorkspaceAddress, WritesMetadata {
  /** 1-500 characters, trimmed; also the name of its page. */
  readonly name: string;
  /** Up to 10,000 characters. Default empty. */
  readonly description?: string;
  /** The parent of its page. Null or absent: at the top. */
  readonly parentId?: string | null;
  /** The record's id in another system: 1-200 characters, unique in the workspace for its kind. */
  readonly externalId?: string | null;
}

/** What `boards.update` takes: a board, and the fields to change. */
export interface UpdateBoard extends BoardAddress, WritesMetadata {
  /** 1-500 characters, trimmed; also the name of its page. */
  readonly name?: string;
  /** Up to 10,000 characters. */
  readonly description?: string;
  /** The record's id in another system: 1-200 characters, unique in the workspace for its kind. */
  readonly externalId?: string | null;
}

/** What `boards.list` takes. */
export interface ListBoards extends WorkspaceAddress, Expanding<BoardExpansion> {}

/** What `boards.get` takes. */
export interface GetBoard extends BoardAddress, Expanding<BoardExpansion> {}

/** The number of boards read by one query, each with all its statuses and tags. */
export const BOARDS_PER_QUERY = 500;

/** The boards that the caller sees, in the order of the list of pages. */
export function listBoards(context: Context, input: ListBoards): Promise<readonly BoardSummary[]> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const ids = await inSteps(boardIdsIn(await shownOrder(viewer)), viewer.yielder);
    const shown: BoardSummary[] = [];
    // Statuses and tags are read with a board, and not kept.
    for (const some of slicesOf(ids, BOARDS_PER_QUERY)) {
      const boards = await tx.boards.many(input.workspaceId, some);
      for (const id of some) shown.push(boardSummary(found(boards.get(id))));
    }
    return boardsWithNames(tx, viewer, shown, input.expand);
  });
}

function* boardIdsIn({ all, positions }: ShownOrder): Stepwise<string[]> {
  const ids: string[] = [];
  yield* forEachStepwise(positions.length, (n) => {
    const { id, type } = all.order.pages[positions[n]!]!;
    if (type === 'board') ids.push(id);
  });
  return ids;
}

/** Also creates the board's page, with the same id and name. @throws `external-id-taken` */
export function createBoard(context: Context, input: CreateBoard): Promise<BoardView> {
  const answer = withNamedRecords(context, ({ workspaceId, id }: BoardView) => ({ workspaceId, records: [id] }));
  return write(answer, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const parentId = input.parentId ?? null;
    requireParent(viewer, parentId);
    const at = timestamp(context);
    const page = newPage(context, viewer, { name: input.name.trim(), type: 'board', parentId, at });
    const board = newBoard(page, at, input);
    await requireFreeExternalId(tx, viewer.structure, 'board', board);
    await tx.boards.insert(board);
    await insertPage(tx, viewer, { ...page, contentId: page.id });
    return { ...boardSummary(board), statuses: [], tags: [] };
  });
}

export function getBoard(context: Context, input: GetBoard): Promise<BoardView> {
  return read(context, async (tx) => {
    const { workspaceId, boardId } = input;
    const { viewer, board } = await boardAt(tx, context, input, VIEW).catch((error: unknown) =>
      throwIfCopyFailed(tx, context, workspaceId, boardId, error),
    );
    const shown = boardView(board, await cachedVisibleCounts(tx, viewer, board.id));
    return (await boardsWithNames(tx, viewer, [shown], input.expand))[0]!;
  });
}

/** A new name also renames its page. @throws `external-id-taken` */
export function updateBoard(context: Context, input: UpdateBoard): Promise<BoardView> {
  return write(context, async (tx) => {
    const { viewer, page, board } = await boardAt(tx, context, input, EDIT);
    expectVersion(context, board);
    const counts = await visibleCounts(tx, viewer, board.id);
    const shown = boardView(board, counts);
    const given = withCurrentCounts(input, shown);
    const writable = ['name', 'description', 'externalId'] as const;
    const { changes, metadata, isEmpty } = recordChanges(board, given, shown, writable, ['boardId']);
    if (isEmpty) return shown;
    const at = timestamp(context);
    const next = changed(withMetadata(board, metadata), { ...changes, name: changes.name?.trim() ?? board.name }, at);
    await requireFreeExternalId(tx, viewer.structure, 'board', next);
    await tx.boards.replace(next);
    if (next.name === board.name) return boardView(next, counts);
    await tx.structures.change(viewer.structure, { pages: [changed(page, { name: next.name }, at)] });
    return boardView(next, counts);
  });
}

/**
 * Task counts change without a new version of the board: if the version matches, counts in the input are taken as
 * current.
 */
function withCurrentCounts(input: UpdateBoard, shown: BoardView): UpdateBoard {
  const { version, statuses } = input as Partial<BoardView>;
  if (version !== shown.version || statuses === undefined) return input;
  const counts = new Map(shown.statuses.map(({ id, taskCount }) => [id, taskCount]));
  const counted = statuses.map((status) => ({ ...status, taskCount: counts.get(status.id) ?? status.taskCount }));
  return { ...input, statuses: counted } as UpdateBoard;
}

/** What `boards.delete` takes. */
export interface DeleteBoard extends BoardAddress, Deletion {}

/** Deletes the board, its page and everything below the page, like a page. @throws `hidden-content` */
export function deleteBoard(context: Context, input: DeleteBoard): Promise<void> {
  const { workspaceId, boardId } = input;
  return deleteInTwoPhases(context, { workspaceId, pageId: boardId }, async (tx, own, most) => {
    const { viewer, page, board } = await boardAt(tx, own, input, VIEW);
    await removePage(tx, own, viewer, page, { addressed: board, most, permanently: input.permanently });
  });
}
