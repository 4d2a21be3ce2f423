import { createChecklistItem, deleteChecklistItem, updateChecklistItem } from '../checklist/checklists.ts';
import { createComment, deleteComment, updateComment } from '../comment/comments.ts';
import { listTaskHistory } from '../history/list.ts';
import { createTask, createTasks } from '../task/create.ts';
import { deleteTask } from '../task/delete.ts';
import { expandAnswer } from '../task/expand-answer.ts';
import { addTag, assign, removeTag, unassign } from '../task/tags-and-assignees.ts';
import { linkTask, unlinkParent, unlinkTask } from '../link/links.ts';
import { listTasks } from '../task/list/list.ts';
import { deleteTasks } from '../task/many/delete.ts';
import { updateTasks } from '../task/many/update.ts';
import { getTask } from '../task/read.ts';
import { updateTask } from '../task/update.ts';

/** Tasks with their checklists and comments. */
export const taskUseCases = {
  /** Tasks. */
  tasks: {
    /**
     * The tasks that the caller sees, filtered and sorted. Several values of one filter: OR; several filters: AND.
     * Paged: `limit` 1-500, default 100.
     *
     * @throws `invalid-input` for a cursor of another list; `too-many` to tell which are blocked
     * @throws `not-found`
     */
    list: listTasks,
    /**
     * Creates a task, by default last in the first status of its board. Needs 300 on the board.
     *
     * @throws `board-without-status`, `column-crowded`, `page-has-content`, `external-id-taken`, `quota-exceeded`
     * @throws `forbidden`; `being-removed` for a status or tag whose deletion has begun
     * @throws `unusable-reference` for a status or tag of another board, or an assignee without access
     */
    create: expandAnswer(createTask),
    /**
     * Creates up to 1,000 tasks: all of them, or none. Errors point into `/tasks/N`.
     *
     * @throws as `create`: `board-without-status`, `column-crowded`, `page-has-content`, `external-id-taken`,
     *   `quota-exceeded`, `being-removed`, `forbidden`, `unusable-reference`
     */
    createMany: expandAnswer(createTasks),
    /**
     * A task with its comments, oldest first.
     *
     * @throws `not-found` for a task that is missing or hidden
     */
    get: getTask,
    /**
     * Changes a task, or moves it within its board or to another. Needs 300, on both boards when it moves across.
     *
     * @throws `external-id-taken`, `quota-exceeded`, `forbidden`, `not-found`, `version-mismatch`
     * @throws `being-removed` for a status or tag whose deletion has begun; `board-without-status` for a board to move to
     * @throws `column-crowded` while room is being made at that place
     * @throws `unusable-reference` for a status or tag of another board
     */
    update: expandAnswer(updateTask),
    /**
     * Deletes a task with its comments and its page: they go to the trash, or with `permanently` are deleted
     * permanently.
     *
     * @throws `hidden-content`, `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteTask,
    /**
     * Changes up to 1,000 tasks, named or found by a filter: all of them, or none. Needs 300 on each. Errors point into
     * `/set`, and to the task if it was named.
     *
     * @throws `count-mismatch` if the filter finds another number than `count`; `too-many` for more than 1,000
     * @throws `being-removed`, `board-without-status`, `column-crowded`, `quota-exceeded`, `forbidden`, `not-found`
     * @throws `unusable-reference` for a named task that is missing or hidden, and as {@link taskUseCases.tasks.update}
     */
    updateMany: updateTasks,
    /**
     * Deletes up to 1,000 tasks, named or found by a filter, with their comments and pages: all of them, or none.
     *
     * @throws `count-mismatch` if the filter finds another number than `count`; `too-many` for more than 1,000
     * @throws `hidden-content`, `forbidden`, `not-found`
     * @throws `unusable-reference` for a named task that is missing or hidden
     */
    deleteMany: deleteTasks,
    /**
     * Adds a tag of its board to a task. Idempotent. Needs 300.
     *
     * @throws `unusable-reference` for a tag of another board, `being-removed` for one whose deletion has begun
     * @throws `quota-exceeded`, `forbidden`, `not-found`, `version-mismatch`
     */
    addTag: expandAnswer(addTag),
    /**
     * Removes a tag from a task. Needs 300.
     *
     * @throws `not-found` if the task does not have it; `forbidden`, `version-mismatch`
     */
    removeTag,
    /**
     * Assigns a member. Idempotent. Needs 300.
     *
     * @throws `unusable-reference` for a member without access to the task
     * @throws `quota-exceeded`, `forbidden`, `not-found`, `version-mismatch`
     */
    assign: expandAnswer(assign),
    /**
     * Removes an assignment. Needs 300.
     *
     * @throws `not-found` if the member is not assigned; `forbidden`, `version-mismatch`
     */
    unassign,
    /**
     * Links a task to another: to its parent, or to one that it blocks, relates to or duplicates. Idempotent. Needs 300
     * on the task, and 100 on the other.
     *
     * @throws `has-parent` for a second parent, `link-cycle` for a parent or blocked task that would form a cycle
     * @throws `limit-reached` for the 101st link of a kind, and if too many tasks are linked to check for a cycle
     * @throws `unusable-reference` for a task that is missing or hidden
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    link: expandAnswer(linkTask),
    /**
     * Removes a link. Needs 300 on the task, and 100 on the other.
     *
     * @throws `not-found` if they are not linked so; `forbidden`, `version-mismatch`
     */
    unlink: unlinkTask,
    /**
     * Removes the link to the parent, also to one that the caller may not see. Needs 300 on the task.
     *
     * @throws `not-found` if it has none; `forbidden`, `version-mismatch`
     */
    unlinkParent,
    /**
     * What was done to a task, newest first, at most 10,000 entries. What the caller may not see now reads null. Paged:
     * `limit` 1-500, default 100; a part may hold less and still have a next one.
     *
     * @throws `not-found`
     */
    history: listTaskHistory,
  },
  /** The checklists of tasks. A change of one raises the version of its task. */
  checklists: {
    /**
     * Adds an item, by default at the end. Needs 300. `If-Match` is that of the task.
     *
     * @throws `limit-reached` for the 101st, `forbidden`, `not-found`, `version-mismatch`
     * @throws `unusable-reference` for a neighbour in another checklist, or an assignee without access
     */
    create: createChecklistItem,
    /**
     * Changes or moves an item. Needs 300. `If-Match` is that of the task.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     * @throws `unusable-reference` as for {@link taskUseCases.checklists.create}
     */
    update: updateChecklistItem,
    /**
     * Removes an item. Needs 300. `If-Match` is that of the task.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteChecklistItem,
  },
  /** Comments on tasks. */
  comments: {
    /**
     * Adds a comment. Needs 200.
     *
     * @throws `external-id-taken`, `quota-exceeded`, `forbidden`, `not-found`
     */
    create: createComment,
    /**
     * Edits a comment. Only for its author, with 200.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateComment,
    /**
     * Deletes a comment. For its author, and for members with 400 on the task.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteComment,
  },
} as const;
