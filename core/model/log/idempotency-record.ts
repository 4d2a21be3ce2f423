/** The result of a call with an idempotency key, written in the transaction of its effect. */
export interface IdempotencyRecord {
  /** Built from the user, the operation and the caller's key. */
  readonly key: string;
  /** Digest of the input: the same key with another input is refused. */
  readonly digest: string;
  /** The result of the call. Null if it holds a secret, which is not stored. */
  readonly output: unknown;
  /** The cursor that the call told. Absent: it told none. */
  readonly cursor?: string;
  /** When the key is free again. ISO 8601 UTC. */
  readonly expiresAt: string;
}
