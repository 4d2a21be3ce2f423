import {
  createInvitation,
  getInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from '../invitation/invitations.ts';
import { joinWorkspace } from '../invitation/join.ts';
import { listMembers, removeMember, updateMember } from '../member/members.ts';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '../workspace/workspaces.ts';

/** Workspaces, their members and invitations. */
export const workspaceUseCases = {
  /** Workspaces. */
  workspaces: {
    /** The workspaces of the caller. Not paged. */
    list: listWorkspaces,
    /**
     * Creates a workspace. Any user may, and becomes its owner.
     *
     * @throws `alias-taken`, `quota-exceeded`
     */
    create: createWorkspace,
    /**
     * A workspace, with the role and member id of the caller.
     *
     * @throws `not-found` unless the caller is a member
     */
    get: getWorkspace,
    /**
     * Changes name, description or `defaultAccess`. Needs role Admin.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateWorkspace,
    /**
     * Deletes a workspace with all pages, boards and tasks, irreversibly. Needs role Owner.
     *
     * @throws `forbidden`, `not-found`, `version-mismatch`
     */
    delete: deleteWorkspace,
  },
  /** Members of a workspace. */
  members: {
    /**
     * The members with their profiles, former ones on request. A guest sees only themselves. Not paged.
     *
     * @throws `not-found`
     */
    list: listMembers,
    /**
     * Changes a member's role or position. Needs role Admin; neither the old nor the new role may be above the caller's
     * own.
     *
     * @throws `last-owner`, `forbidden`, `not-found`, `version-mismatch`
     */
    update: updateMember,
    /**
     * Removes a member (needs role Admin), or the caller, who leaves. Access ends with the call.
     *
     * @throws `last-owner`, `forbidden`, `not-found`, `version-mismatch`
     */
    remove: removeMember,
  },
  /** Invitations to a workspace. */
  invitations: {
    /**
     * Creates an invitation to a role of at most the caller's own. Its id is the secret to join with. Needs role Admin.
     *
     * @throws `forbidden`, `quota-exceeded`; `owner-access` for a level other than 400 to an owner
     * @throws `unusable-reference` for a page that the caller may not grant access to
     */
    create: createInvitation,
    /**
     * The invitations to roles of at most the caller's own, oldest first. Paged: `limit` 1-500, default 100. Needs role
     * Admin.
     *
     * @throws `forbidden`, `not-found`
     */
    list: listInvitations,
    /**
     * One invitation, for members who may manage it.
     *
     * @throws `not-found`, `forbidden`
     */
    get: getInvitation,
    /**
     * Revokes a pending invitation.
     *
     * @throws `invitation-unusable` if it is no longer pending; `not-found`, `forbidden`, `version-mismatch`
     */
    revoke: revokeInvitation,
    /**
     * An invitation by its id alone: for its addressee, for any user if it has no address, and for members who may
     * manage it.
     *
     * @throws `not-found`
     */
    read: readInvitation,
    /**
     * Accepts an invitation. A former member becomes the same member again, in a new membership.
     *
     * @throws `invitation-unusable` if it is not pending, or its issuer could no longer issue it
     * @throws `already-member`; the invitation stays pending
     * @throws `being-removed` while assignments of many earlier memberships are still being removed; `quota-exceeded`
     */
    join: joinWorkspace,
  },
} as const;
