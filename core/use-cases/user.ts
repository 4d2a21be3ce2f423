import { createToken, createTokenFor, listTokens, revokeToken } from '../token/tokens.ts';
import { createUser, getMe, getUser, listUsers, updateMe, updateUser } from '../user/users.ts';

/** Users and their tokens. */
export interface UserUseCases {
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
     * @throws `unauthenticated` for the operator, who is not a user
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
     * All users, by creation, for service administrators and the operator. Paged: `limit` 1-500, default 100.
     *
     * @throws `forbidden`
     */
    readonly list: typeof listUsers;
    /**
     * Creates a user, for service administrators and the operator. The e-mail address counts as verified.
     *
     * @throws `email-taken`, `forbidden`
     */
    readonly create: typeof createUser;
    /**
     * A user by id, for service administrators and the operator.
     *
     * @throws `not-found`, `forbidden`
     */
    readonly get: typeof getUser;
    /**
     * Changes a user, for service administrators and the operator. `disabled: true` ends their access everywhere at
     * once.
     *
     * @throws `email-taken`, `version-mismatch`, `forbidden`, `not-found`
     * @throws `last-administrator` if the service would have no active administrator
     * @throws `last-owner` if a workspace would have no owner who can sign in
     */
    readonly update: typeof updateUser;
  };
}

export const userUseCases: UserUseCases = {
  me: { get: getMe, update: updateMe },
  tokens: { list: listTokens, create: createToken, createFor: createTokenFor, revoke: revokeToken },
  users: { list: listUsers, create: createUser, get: getUser, update: updateUser },
};
