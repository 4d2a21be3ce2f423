/** What a call that is to happen once came to. Written in the same transaction as its effect. */
export interface IdempotencyRecord {
  /** Names the user, the operation and the caller's key. */
  readonly key: string;
  /** Of the input: the same key with another input is refused. */
  readonly digest: string;
  /** What the call returned. Null for what holds a secret, which is not kept. */
  readonly output: unknown;
  readonly expiresAt: string;
}
