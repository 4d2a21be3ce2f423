import { auditAccess } from '../access/audit.ts';
import { grantAccess, listAccessMembers, revokeAccess } from '../access/entries.ts';
import { explainAccess } from '../access/explain.ts';
import { previewMove } from '../access/preview.ts';
import { changeAccessSettings, getAccessSettings } from '../access/settings.ts';
import { copyPage } from '../copy/copy.ts';
import { listPageHistory } from '../history/list.ts';
import { createPage } from '../page/create.ts';
import { deletePage } from '../page/delete.ts';
import { getPage, listPages } from '../page/read.ts';
import { updatePage } from '../page/update.ts';
import { deleteTrashed, listTrash } from '../trash/items.ts';
import { restoreTrashed } from '../trash/restore.ts';

/** The tree of pages, access to them, and the trash. */
export const pageUseCases = {
  /** The tree of pages. */
  pages: {
    /**
     * All pages that the caller sees, in tree order: parents before children, siblings in order. Not paged.
     *
     * @throws `not-found`
     */
    list: listPages,
    /**
     * Creates a page; of type `board` with its board, of type `task` with a task on the nearest board above, or without
     * one if the caller may not edit that. Needs 300 on the parent; at the top, 300 as the level of the caller's role.
     *
     * @throws `board-without-status`, `column-crowded`, `task-has-page`, `quota-exceeded`, `forbidden`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    create: createPage,
    /**
     * A page, with the level of the caller.
     *
     * @throws `not-found` for a page that is missing or hidden; `copy-failed` for a copy that failed
     */
    get: getPage,
    /**
     * Renames (needs 300), reorders (300) or moves a page (400, and 300 on the new parent). Content is renamed
     * with its page.
     *
     * @throws `page-cycle`, `quota-exceeded`, `forbidden`, `not-found`, `version-mismatch`
     * @throws `unusable-reference` for a parent or neighbour that is missing or hidden
     */
    update: updatePage,
    /**
     * Deletes a page with its descendants and their content: they go to the trash. Needs 400, and 300 on every
     * descendant; `permanently` deletes them permanently.
     *
     * @throws `hidden-content` if a descendant that the caller may not see forbids it
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deletePage,
    /**
     * Copies a page with everything below it that the caller sees, as `boards.copy` does.
     *
     * @throws `copy-failed`, `quota-exceeded`, `too-many`, `forbidden`, `not-found`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    copy: copyPage,
    /**
     * What was done to a page itself, newest first, at most 10,000 entries. What the caller may not see now reads null.
     * Paged: `limit` 1-500, default 100.
     *
     * @throws `not-found`
     */
    history: listPageHistory,
  },
  /** The levels of members on pages. */
  access: {
    /**
     * Whether a page inherits access, and its default level if it does not.
     *
     * @throws `not-found`
     */
    settings: getAccessSettings,
    /**
     * Changes the settings. Needs 400. With `inherit: false` a caller without an entry gets one with full access.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    changeSettings: changeAccessSettings,
    /**
     * Every active member's level on a page, including 0. A guest sees only their own. Not paged.
     *
     * @throws `not-found`
     */
    members: listAccessMembers,
    /**
     * Sets a member's level on a page, replacing any earlier one. Needs 400.
     *
     * @throws `forbidden`, `not-found`, `quota-exceeded`; `owner-access` for anything but 400 to an owner
     * @throws `unusable-reference` for someone who is not a member, and for 400 to a guest
     */
    grant: grantAccess,
    /**
     * Removes a member's level on a page; they then have what they inherit. Needs 400.
     *
     * @throws `not-found` if none is set
     * @throws `forbidden`
     */
    revoke: revokeAccess,
    /**
     * Explains the level of a member on a page, rule by rule. Needs 100 for the caller's own level, 400 for others.
     *
     * @throws `forbidden`, `not-found`
     */
    explain: explainAccess,
    /**
     * Lists the levels that would change if the page moved. Writes nothing. Needs 400 on the page and 100 on the new
     * parent.
     *
     * @throws `forbidden`, `not-found`; `page-cycle` for a parent below the page
     */
    preview: previewMove,
    /**
     * Every member's level on every page that the caller sees, with findings. A guest sees only their own. Paged:
     * `limit` 1-500, default 100; a slice may hold fewer.
     *
     * @throws `invalid-input` for a cursor of another list
     * @throws `not-found`
     */
    audit: auditAccess,
  },
  /** Deleted pages, boards and tasks that can be restored. */
  trash: {
    /**
     * The topmost page, board or task of each deletion that the caller could delete, newest first. Paged: `limit` 1-500,
     * default 100; a slice may hold fewer.
     *
     * @throws `not-found`
     */
    list: listTrash,
    /**
     * Restores an item with its content, access and order. Needs what deleting it needs; at another place 400, and 300
     * on the parent.
     *
     * @throws `board-in-trash`, `board-without-status`, `column-crowded`, `hidden-content`, `quota-exceeded`
     * @throws `unusable-reference`, `forbidden`, `not-found`
     */
    restore: restoreTrashed,
    /**
     * Deletes an item permanently. Needs 400 on it, and 300 on everything nested under it.
     *
     * @throws `hidden-content`, `forbidden`, `not-found`
     */
    delete: deleteTrashed,
  },
} as const;
