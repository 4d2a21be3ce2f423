import { createBoard, deleteBoard, getBoard, listBoards, updateBoard } from '../board/boards.ts';
import { copyBoard } from '../copy/copy.ts';
import { createStatus, deleteStatus, updateStatus } from '../board/statuses.ts';
import { createTag, deleteTag, updateTag } from '../board/tags.ts';
import { listBoardHistory } from '../history/list.ts';

/** Boards with their columns and tags. */
export const boardUseCases = {
  /** Boards. */
  boards: {
    /**
     * The boards that the caller sees, in the order of the page tree. Not paged.
     *
     * @throws `not-found`
     */
    list: listBoards,
    /**
     * Creates a board and its page, with the same id and name.
     *
     * @throws `external-id-taken`, `quota-exceeded`, `forbidden`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    create: createBoard,
    /**
     * A board with its statuses by `orderKey` and its tags.
     *
     * @throws `not-found`; `copy-failed` for a copy that failed
     */
    get: getBoard,
    /**
     * Changes name, description or `externalId`. A new name also renames its page. Needs 300.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateBoard,
    /**
     * Deletes a board with its tasks, its page and everything below that: they go to the trash, or with `permanently`
     * are deleted permanently.
     *
     * @throws `hidden-content`, `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteBoard,
    /**
     * Copies a board with everything below its page that the caller sees: at once, or in the background if it takes longer
     * than two seconds or must first make room at its place. Needs 100 on the board, and what creating the copy needs.
     *
     * @throws `copy-failed`, `quota-exceeded`, `too-many`, `forbidden`, `not-found`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    copy: copyBoard,
    /**
     * What was done to a board itself, newest first, at most 10,000 entries. What the caller may not see now reads null.
     * Paged: `limit` 1-500, default 100.
     *
     * @throws `not-found`
     */
    history: listBoardHistory,
  },
  /** The columns of a board. */
  statuses: {
    /**
     * Adds a status, by default as the last one. Needs 300 on the board.
     *
     * @throws `quota-exceeded`, `forbidden`, `not-found`
     */
    create: createStatus,
    /**
     * Changes name, `orderKey` or `done`; changing `done` changes no task. Needs 300 on the board.
     *
     * @throws `being-removed`, `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateStatus,
    /**
     * Deletes a status. With `moveTo` its tasks are appended to another status of the board. Needs 300 on the board.
     *
     * @throws `status-not-empty` if it holds tasks and `moveTo` is absent
     * @throws `unusable-reference` for a `moveTo` that is not another status of the board
     * @throws `column-crowded` while room is being made in that status; `being-removed` if that is being deleted too
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteStatus,
  },
  /** The tags of a board. */
  tags: {
    /**
     * Adds a tag. Needs 300 on the board.
     *
     * @throws `tag-name-taken`, `quota-exceeded`, `forbidden`, `not-found`
     */
    create: createTag,
    /**
     * Changes name or colour. Needs 300 on the board.
     *
     * @throws `tag-name-taken`, `being-removed`, `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateTag,
    /**
     * Deletes a tag, and removes it from its tasks. Needs 300 on the board.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteTag,
  },
} as const;
