import { auditAccess } from './access/audit.ts';
import { grantAccess, listAccessMembers, revokeAccess } from './access/entries.ts';
import { explainAccess } from './access/explain.ts';
import { previewMove } from './access/preview.ts';
import { changeAccessSettings, getAccessSettings } from './access/settings.ts';
import { listAudit, listServiceAudit } from './audit/list.ts';
import { createBoard, deleteBoard, getBoard, listBoards, updateBoard } from './board/boards.ts';
import { createStatus, deleteStatus, updateStatus } from './board/statuses.ts';
import { createTag, deleteTag, updateTag } from './board/tags.ts';
import { createComment, deleteComment, updateComment } from './comment/comments.ts';
import { importBoard } from './import/board.ts';
import {
  createInvitation,
  getInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitation/invitations.ts';
import { joinWorkspace } from './invitation/join.ts';
import { listMembers, removeMember, updateMember } from './member/members.ts';
import { createPage } from './page/create.ts';
import { deletePage } from './page/delete.ts';
import { getPage, listPages } from './page/read.ts';
import { updatePage } from './page/update.ts';
import { getQuotas, updateQuotas } from './service/quotas.ts';
import { createTask, createTasks } from './task/create.ts';
import { deleteTask } from './task/delete.ts';
import { addTag, assign, removeTag, unassign } from './task/links.ts';
import { listTasks } from './task/list.ts';
import { getTask } from './task/read.ts';
import { updateTask } from './task/update.ts';
import { createToken, createTokenFor, listTokens, revokeToken } from './token/tokens.ts';
import { checkStore } from './doctor/check.ts';
import { exportWorkspace } from './transfer/export.ts';
import { importWorkspace } from './transfer/import.ts';
import { createUser, getMe, getUser, listUsers, updateMe, updateUser } from './user/users.ts';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspace/workspaces.ts';

/** All use cases, by noun. The HTTP service, the CLI and the library call these. */
export interface UseCases {
  /** The calling user. */
  readonly me: {
    /**
     * The calling user.
     *
     * @throws `unauthenticated` for the operator, who is not a user
     */
    readonly get: typeof getMe;
    /**
     * Changes `name`, `avatar` or `phone` of the calling user. Other members of the same workspaces see them.
     *
     * @throws `version-mismatch`
     */
    readonly update: typeof updateMe;
  };
  /** API tokens. */
  readonly tokens: {
    /** The calling user's tokens, without their secrets, by creation. Paged: `limit` 1-500, default 100. */
    readonly list: typeof listTokens;
    /**
     * Creates a token for the calling user. Its secret is in the result, and is never shown again.
     *
     * @throws `invalid-input` for an `expiresAt` in the past
     */
    readonly create: typeof createToken;
    /**
     * Creates a token to act as another user, for service administrators and the operator. It is audited, and the
     * user sees it in their list.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly createFor: typeof createTokenFor;
    /**
     * Revokes one of the calling user's tokens, at once.
     *
     * @throws `not-found`
     */
    readonly revoke: typeof revokeToken;
  };
  /** Users of the service, for service administrators and the operator. */
  readonly users: {
    /**
     * All users, by creation. Paged: `limit` 1-500, default 100.
     *
     * @throws `forbidden`
     */
    readonly list: typeof listUsers;
    /**
     * Creates a user. The e-mail address counts as verified.
     *
     * @throws `email-taken`, `forbidden`
     */
    readonly create: typeof createUser;
    /**
     * A user by id.
     *
     * @throws `not-found`, `forbidden`
     */
    readonly get: typeof getUser;
    /**
     * Changes a user; `disabled: true` ends their access everywhere at once.
     *
     * @throws `email-taken`, `version-mismatch`
     * @throws `last-administrator` if the service would have no active administrator
     * @throws `last-owner` if a workspace would have no owner who can sign in
     */
    readonly update: typeof updateUser;
  };
  /** Workspaces. */
  readonly workspaces: {
    /** The workspaces of which the caller is a member. Not paged. */
    readonly list: typeof listWorkspaces;
    /**
     * Creates a workspace. The creator becomes its owner.
     *
     * @throws `alias-taken`
     */
    readonly create: typeof createWorkspace;
    /**
     * A workspace, with the role and member id of the caller.
     *
     * @throws `not-found` unless the caller is a member
     */
    readonly get: typeof getWorkspace;
    /**
     * Changes name, description or `defaultAccess`. Needs role Admin.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateWorkspace;
    /**
     * Deletes a workspace with all pages, boards and tasks, irreversibly. Needs role Owner.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deleteWorkspace;
  };
  /** Members of a workspace. */
  readonly members: {
    /**
     * The members with their profiles, former ones on request. A guest sees only themselves. Not paged.
     *
     * @throws `not-found`
     */
    readonly list: typeof listMembers;
    /**
     * Changes a member's role or position. Needs role Admin; neither the old nor the new role may be above the caller's
     * own.
     *
     * @throws `last-owner`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateMember;
    /**
     * Removes a member (needs role Admin), or the caller, who leaves. Access ends with the call.
     *
     * @throws `last-owner`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly remove: typeof removeMember;
  };
  /** Invitations to a workspace. */
  readonly invitations: {
    /**
     * Creates an invitation to a role of at most the caller's own. Its id is the secret to join with. Needs role Admin.
     *
     * @throws `forbidden`
     * @throws `unusable-reference` for a page that the caller may not grant access to
     */
    readonly create: typeof createInvitation;
    /**
     * The invitations to roles of at most the caller's own, oldest first. Paged: `limit` 1-500, default 100. Needs role
     * Admin.
     */
    readonly list: typeof listInvitations;
    /**
     * One invitation, for members who may manage it.
     *
     * @throws `not-found`, `forbidden`
     */
    readonly get: typeof getInvitation;
    /**
     * Revokes a pending invitation; one that is no longer pending stays as it is.
     *
     * @throws `not-found`, `forbidden`
     */
    readonly revoke: typeof revokeInvitation;
    /**
     * An invitation by its id alone: for its addressee, for any user if it has no address, and for members who may
     * manage it.
     *
     * @throws `not-found`
     */
    readonly read: typeof readInvitation;
    /**
     * Accepts an invitation. A former member becomes the same member again, in a new membership.
     *
     * @throws `invitation-unusable` if it is not pending, or its issuer could no longer issue it
     * @throws `already-member`; the invitation stays pending
     */
    readonly join: typeof joinWorkspace;
  };
  /** The tree of pages. */
  readonly pages: {
    /**
     * All pages that the caller sees, in tree order: parents before children, siblings in order. Not paged.
     *
     * @throws `not-found`
     */
    readonly list: typeof listPages;
    /**
     * Creates a page; of type `board` with its board, of type `task` with a task on the nearest board above. Needs
     * 300 on the parent; at the top role Member.
     *
     * @throws `board-without-status`, `task-has-page`, `forbidden`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    readonly create: typeof createPage;
    /**
     * A page, with the level of the caller.
     *
     * @throws `not-found` for a page that is missing or hidden
     */
    readonly get: typeof getPage;
    /**
     * Renames (needs 300), reorders (300) or moves a page (400, and 300 on the new parent). Content is renamed
     * with its page.
     *
     * @throws `page-cycle`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updatePage;
    /**
     * Deletes a page with its descendants and their content. Needs 400, and 300 on every descendant.
     *
     * @throws `hidden-content` if a descendant that the caller may not see forbids it
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deletePage;
  };
  /** Who may do what on a page. */
  readonly access: {
    /**
     * Whether a page inherits access, and its default level if it does not.
     *
     * @throws `not-found`
     */
    readonly settings: typeof getAccessSettings;
    /**
     * Changes the settings. Needs 400. With `inherit: false` a caller without an entry gets one with full access.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly changeSettings: typeof changeAccessSettings;
    /**
     * Every active member's level on a page, including 0. A guest sees only their own. Not paged.
     *
     * @throws `not-found`
     */
    readonly members: typeof listAccessMembers;
    /**
     * Sets a member's level on a page, replacing any earlier one. Needs 400.
     *
     * @throws `owner-access` for anything but 400 to an owner
     * @throws `unusable-reference` for someone who is not a member, and for 400 to a guest
     */
    readonly grant: typeof grantAccess;
    /**
     * Removes a member's level on a page; they then have what they inherit. Needs 400.
     *
     * @throws `not-found` if none is set
     * @throws `forbidden`
     */
    readonly revoke: typeof revokeAccess;
    /**
     * Why a member has their level on a page: each rule that led to it. Needs 100 for oneself, 400 for others.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly explain: typeof explainAccess;
    /**
     * Whose level would change, and how, if the page moved. Writes nothing. Needs 400 on the page and 100 on the new
     * parent.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly preview: typeof previewMove;
    /**
     * Every member's level on every page that the caller sees, with findings. A guest sees only their own. Paged:
     * `limit` 1-500, default 100; a slice may hold fewer.
     *
     * @throws `invalid-input` for a cursor of another list
     * @throws `not-found`
     */
    readonly audit: typeof auditAccess;
  };
  /** Boards. */
  readonly boards: {
    /**
     * The boards that the caller sees, in the order of the page tree. Not paged.
     *
     * @throws `not-found`
     */
    readonly list: typeof listBoards;
    /**
     * Creates a board and its page, with the same id and name.
     *
     * @throws `external-id-taken`, `forbidden`
     * @throws `unusable-reference` for a parent that is missing or hidden
     */
    readonly create: typeof createBoard;
    /**
     * A board with its statuses by `orderKey` and its tags.
     *
     * @throws `not-found`
     */
    readonly get: typeof getBoard;
    /**
     * Changes name, description or `externalId`. A new name also renames its page. Needs 300.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateBoard;
    /**
     * Deletes a board with its tasks, its page and everything below that.
     *
     * @throws `hidden-content`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deleteBoard;
  };
  /** The columns of a board. */
  readonly statuses: {
    /**
     * Adds a status, by default as the last one. Needs 300 on the board.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly create: typeof createStatus;
    /**
     * Changes name, `orderKey` or `done`; changing `done` changes no task. Needs 300 on the board.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateStatus;
    /**
     * Deletes a status. With `moveTo` its tasks are appended to another status of the board. Needs 300 on the board.
     *
     * @throws `status-not-empty` if it holds tasks and `moveTo` is absent
     * @throws `unusable-reference` for a `moveTo` that is not another status of the board
     */
    readonly delete: typeof deleteStatus;
  };
  /** The tags of a board. */
  readonly tags: {
    /**
     * Adds a tag. Needs 300 on the board.
     *
     * @throws `tag-name-taken`, `forbidden`, `not-found`
     */
    readonly create: typeof createTag;
    /**
     * Changes name or colour. Needs 300 on the board.
     *
     * @throws `tag-name-taken`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateTag;
    /**
     * Deletes a tag and takes it off its tasks. Needs 300 on the board.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deleteTag;
  };
  /** Tasks. */
  readonly tasks: {
    /**
     * The tasks that the caller sees, filtered and sorted. Several values of one filter: OR; several filters: AND.
     * Paged: `limit` 1-500, default 100.
     *
     * @throws `invalid-input` for a cursor of another list
     * @throws `not-found`
     */
    readonly list: typeof listTasks;
    /**
     * Creates a task, by default last in the first status of its board. Needs 300 on the board.
     *
     * @throws `board-without-status`, `page-has-content`, `external-id-taken`, `forbidden`
     * @throws `unusable-reference` for a status or tag of another board, or an assignee without access
     */
    readonly create: typeof createTask;
    /**
     * Creates up to 1,000 tasks: all of them, or none. Errors point into `/tasks/N`.
     *
     * @throws as {@link UseCases.tasks.create}
     */
    readonly createMany: typeof createTasks;
    /**
     * A task with its comments, oldest first.
     *
     * @throws `not-found` for a task that is missing or hidden
     */
    readonly get: typeof getTask;
    /**
     * Changes a task, or moves it within its board or to another. Needs 300, on both boards when it moves across.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`, `version-mismatch`
     * @throws `unusable-reference` for a status or tag of another board
     */
    readonly update: typeof updateTask;
    /**
     * Deletes a task with its comments and its page.
     *
     * @throws `hidden-content`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deleteTask;
    /**
     * Adds a tag of its board to a task. Idempotent. Needs 300.
     *
     * @throws `unusable-reference` for a tag of another board
     */
    readonly addTag: typeof addTag;
    /**
     * Removes a tag from a task. Needs 300.
     *
     * @throws `not-found` if the task does not have it
     */
    readonly removeTag: typeof removeTag;
    /**
     * Assigns a member. Idempotent. Needs 300.
     *
     * @throws `unusable-reference` for a member without access to the task
     */
    readonly assign: typeof assign;
    /**
     * Removes an assignment. Needs 300.
     *
     * @throws `not-found` if the member is not assigned
     */
    readonly unassign: typeof unassign;
  };
  /** Comments on tasks. */
  readonly comments: {
    /**
     * Adds a comment. Needs 200.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`
     */
    readonly create: typeof createComment;
    /**
     * Edits a comment. Only for its author, with 200.
     *
     * @throws `external-id-taken`, `forbidden`, `not-found`, `version-mismatch`
     */
    readonly update: typeof updateComment;
    /**
     * Deletes a comment. For its author, and for members with 400 on the task.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    readonly delete: typeof deleteComment;
  };
  /** Imports, for the operator and service administrators. */
  readonly imports: {
    /**
     * Imports a board of another system with its authors and times, all or nothing. A second import adds only what
     * is missing.
     *
     * @throws `invalid-input`, `quota-exceeded`, `forbidden`
     */
    readonly board: typeof importBoard;
    /**
     * Imports an exported workspace with its ids. It becomes visible in one commit at the end.
     *
     * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`
     * @throws `invalid-input` for records that do not form a workspace
     */
    readonly workspace: typeof importWorkspace;
  };
  /** Exports. */
  readonly exports: {
    /**
     * Passes a whole workspace from one snapshot to `sink`, record by record. For owners and the operator.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly workspace: typeof exportWorkspace;
  };
  /** Limits of the whole service, for service administrators and the operator. */
  readonly quotas: {
    /**
     * The quotas in force.
     *
     * @throws `forbidden`
     */
    readonly get: typeof getQuotas;
    /**
     * Sets quotas for every process on the store. Counts that exceed a new quota may stay, but not grow.
     *
     * @throws `forbidden`, `version-mismatch`
     */
    readonly update: typeof updateQuotas;
  };
  /** The audit trail. */
  readonly audit: {
    /**
     * The audit records of a workspace, newest first; those of pages that the caller may not see are left out. Paged.
     * Needs role Admin.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly list: typeof listAudit;
    /**
     * The audit records of users and tokens, newest first. Paged. For service administrators and the operator.
     *
     * @throws `forbidden`
     */
    readonly service: typeof listServiceAudit;
  };
  /** Checks of the store's invariants. */
  readonly doctor: {
    /**
     * Reads every record and reports violated invariants; changes nothing. O(store). For the operator and service
     * administrators, in process only.
     *
     * @throws `forbidden`
     */
    readonly check: typeof checkStore;
  };
}

/** A use case by noun and verb, like `tasks.get`. */
export type UseCaseName = {
  [Noun in keyof UseCases]: `${Noun & string}.${keyof UseCases[Noun] & string}`;
}[keyof UseCases];

export const useCases: UseCases = {
  me: { get: getMe, update: updateMe },
  tokens: { list: listTokens, create: createToken, createFor: createTokenFor, revoke: revokeToken },
  users: { list: listUsers, create: createUser, get: getUser, update: updateUser },
  workspaces: {
    list: listWorkspaces,
    create: createWorkspace,
    get: getWorkspace,
    update: updateWorkspace,
    delete: deleteWorkspace,
  },
  members: { list: listMembers, update: updateMember, remove: removeMember },
  invitations: {
    create: createInvitation,
    list: listInvitations,
    get: getInvitation,
    revoke: revokeInvitation,
    read: readInvitation,
    join: joinWorkspace,
  },
  pages: { list: listPages, create: createPage, get: getPage, update: updatePage, delete: deletePage },
  access: {
    settings: getAccessSettings,
    changeSettings: changeAccessSettings,
    members: listAccessMembers,
    grant: grantAccess,
    revoke: revokeAccess,
    explain: explainAccess,
    preview: previewMove,
    audit: auditAccess,
  },
  boards: { list: listBoards, create: createBoard, get: getBoard, update: updateBoard, delete: deleteBoard },
  statuses: { create: createStatus, update: updateStatus, delete: deleteStatus },
  tags: { create: createTag, update: updateTag, delete: deleteTag },
  tasks: {
    list: listTasks,
    create: createTask,
    createMany: createTasks,
    get: getTask,
    update: updateTask,
    delete: deleteTask,
    addTag,
    removeTag,
    assign,
    unassign,
  },
  comments: { create: createComment, update: updateComment, delete: deleteComment },
  imports: { board: importBoard, workspace: importWorkspace },
  exports: { workspace: exportWorkspace },
  quotas: { get: getQuotas, update: updateQuotas },
  audit: { list: listAudit, service: listServiceAudit },
  doctor: { check: checkStore },
};
