import type { Viewer } from '../access/viewer.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { memberNames, type MemberName } from '../names/names.ts';
import type { Board, Status, Tag } from '../model/content/board.ts';
import { metadataOf, type WithMetadata } from '../model/metadata.ts';

/** A board in a list. */
export interface BoardSummary extends Omit<WithMetadata<Board>, 'statuses' | 'tags'> {
  /** Present if requested with `expand`. */
  readonly expanded?: BoardRecordNames;
}

/** The names of the ids in a board. */
export interface BoardRecordNames {
  /** The member who created it. */
  readonly createdBy?: MemberName;
}

/** A column of a board, as a member reads it. */
export interface StatusView extends Omit<WithMetadata<Status>, 'removal'> {
  /** The number of its tasks that the caller sees. */
  readonly taskCount: number;
  /**
   * The status is being removed: its tasks are moved to another status. It takes no new tasks, and is removed after the
   * last one.
   */
  readonly beingRemoved: boolean;
}

/** A tag of a board, as a member reads it. */
export interface TagView extends Omit<WithMetadata<Tag>, 'removal'> {
  /** The tag is being removed from its tasks. It cannot be added to others, and is removed after the last one. */
  readonly beingRemoved: boolean;
}

/** A board with its columns and tags. */
export interface BoardView extends BoardSummary {
  /** By `orderKey`, then by creation. */
  readonly statuses: readonly StatusView[];
  /** By creation. */
  readonly tags: readonly TagView[];
}

/** @param counts number of tasks that the viewer sees, by status */
export function boardView(board: Board, counts: ReadonlyMap<string, number>): BoardView {
  const statuses = board.statuses.map((status) => statusView(status, counts.get(status.id) ?? 0));
  return { ...board, metadata: metadataOf(board), statuses, tags: board.tags.map(tagView) };
}

/** What can be expanded in a board. */
export const BOARD_EXPANSIONS = ['createdBy'] as const;
/** An id of a board that `expand` resolves to a name. */
export type BoardExpansion = (typeof BOARD_EXPANSIONS)[number];

/** Adds the requested names to boards. One read for all. */
export async function boardsWithNames<T extends BoardSummary>(
  tx: ReadTransaction,
  viewer: Viewer,
  boards: readonly T[],
  expand: readonly BoardExpansion[] = [],
): Promise<readonly T[]> {
  if (expand.length === 0) return boards;
  const nameOf = await memberNames(
    tx,
    viewer,
    boards.map(({ createdById }) => createdById),
  );
  return boards.map((board) => ({ ...board, expanded: { createdBy: nameOf(board.createdById) } }));
}

export function boardSummary({ statuses: _, tags: __, ...board }: Board): BoardSummary {
  return { ...board, metadata: metadataOf(board) };
}

export function statusView({ removal, ...status }: Status, taskCount: number): StatusView {
  return { ...status, metadata: metadataOf(status), taskCount, beingRemoved: removal !== undefined };
}

export function tagView({ removal, ...tag }: Tag): TagView {
  return { ...tag, metadata: metadataOf(tag), beingRemoved: removal !== undefined };
}
