/** How often a token was revoked or a user disabled, by any process on the store. There is at most one such record. */
export interface Revocations {
  readonly id: typeof REVOCATIONS_ID;
  readonly count: number;
}

export const REVOCATIONS_ID = 'all';
