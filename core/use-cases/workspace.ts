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
export interface WorkspaceUseCases {
  /** Workspaces. */
  readonly workspaces: {
    /** The workspaces of the caller. Not paged. */
    readonly list: typeof listWorkspaces;
    /**
     * Creates a workspace. Any user may, and becomes its owner.
     *
     * @throws `alias-taken`, `quota-exceeded`
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
     * @throws `forbidden`, `quota-exceeded`; `owner-access` for a level other than 400 to an owner
     * @throws `unusable-reference` for a page that the caller may not grant access to
     */
    readonly create: typeof createInvitation;
    /**
     * The invitations to roles of at most the caller's own, oldest first. Paged: `limit` 1-500, default 100. Needs role
     * Admin.
     *
     * @throws `forbidden`, `not-found`
     */
    readonly list: typeof listInvitations;
    /**
     * One invitation, for members who may manage it.
     *
     * @throws `not-found`, `forbidden`
     */
    readonly get: typeof getInvitation;
    /**
     * Revokes a pending invitation.
     *
     * @throws `invitation-unusable` if it is no longer pending; `not-found`, `forbidden`, `version-mismatch`
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
     * @throws `being-removed` while assignments of many earlier memberships are still being removed; `quota-exceeded`
     */
    readonly join: typeof joinWorkspace;
  };
}

export const workspaceUseCases: WorkspaceUseCases = {
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
};
