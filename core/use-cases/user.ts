import { createToken, createTokenFor, listTokens, revokeToken } from '../token/tokens.ts';
import { createUser, getMe, getUser, listUsers, updateMe, updateUser } from '../user/users.ts';

/** Users and their tokens. */
export const userUseCases = {
  /** The calling user. */
  me: {
    /**
     * The calling user.
     *
     * @throws `unauthenticated` for the operator, who is not a user
     */
    get: getMe,
    /**
     * Changes `name`, `avatar` or `phone` of the calling user. Other members of the same workspaces see them.
     *
     * @throws `unauthenticated` for the operator, who is not a user
     * @throws `version-mismatch`
     */
    update: updateMe,
  },
  /** API tokens. */
  tokens: {
    /** The calling user's tokens, without their secrets, by creation. Paged: `limit` 1-500, default 100. */
    list: listTokens,
    /**
     * Creates a token for the calling user. Its secret is in the result, and is never shown again.
     *
     * @throws `invalid-input` for an `expiresAt` in the past
     */
    create: createToken,
    /**
     * Creates a token to act as another user, for service administrators and the operator. It is audited, and the
     * user sees it in their list.
     *
     * @throws `forbidden`, `not-found`
     */
    createFor: createTokenFor,
    /**
     * Revokes one of the calling user's tokens, at once.
     *
     * @throws `not-found`
     */
    revoke: revokeToken,
  },
  /** Users of the service, for service administrators and the operator. */
  users: {
    /**
     * All users, by creation, for service administrators and the operator. Paged: `limit` 1-500, default 100.
     *
     * @throws `forbidden`
     */
    list: listUsers,
    /**
     * Creates a user, for service administrators and the operator. The e-mail address counts as verified.
     *
     * @throws `email-taken`, `forbidden`
     */
    create: createUser,
    /**
     * A user by id, for service administrators and the operator.
     *
     * @throws `not-found`, `forbidden`
     */
    get: getUser,
    /**
     * Changes a user, for service administrators and the operator. `disabled: true` ends their access everywhere at
     * once.
     *
     * @throws `email-taken`, `version-mismatch`, `forbidden`, `not-found`
     * @throws `last-administrator` if the service would have no active administrator
     * @throws `last-owner` if a workspace would have no owner who can sign in
     */
    update: updateUser,
  },
} as const;
