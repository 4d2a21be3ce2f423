import type { Cancellation } from './cancellation.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { ExpectedVersion } from '../kernel/record.ts';
import type { Clock } from './clock.ts';
import type { RecentStructures } from '../changes/recent-structures.ts';
import type { Turns } from '../changes/turns.ts';
import type { WakeUps } from '../changes/wake-ups.ts';
import type { KeepChanges } from '../model/log/kept-changes.ts';
import type { Quotas } from '../model/service/quotas.ts';
import type { JobAddress } from '../model/job.ts';
import type { JobFailure } from '../jobs/failure.ts';
import type { Reservation } from './reservation.ts';
import type { Store } from './store.ts';
import type { Timers } from './timers.ts';
import type { Precomputed } from './precomputed.ts';
import type { Yielder } from './yielder.ts';
import type { Guard } from '../write/guards.ts';

/** Generates ids of records. Tests supply their own. */
export interface Ids {
  /** A UUID v7 in lower case; those of one process sort by creation. */
  next(): string;
  /** A UUID v4 in lower case: an id that is itself a secret. */
  secret(): string;
}

/** Generates API tokens. The store has only the `hash`; the secret is shown once. */
export interface TokenFactory {
  /** A new token, at random. */
  token(): { readonly secret: string; readonly hash: string };
}

/** Runs stored jobs in steps. See `core/jobs/runner.ts`. */
export interface Jobs {
  /** Runs one step of a job that is due. Milliseconds until the next may be due, 0 for at once; null: no job waits. */
  step(): Promise<number | null>;
  /** Runs all steps of a job. False: {@link moveToBackground} ended this, or the job waits for its time. */
  finish(job: JobAddress): Promise<boolean>;
  /** Ends {@link finish} after the step that is running: {@link step} of any process continues the job. */
  moveToBackground(job: JobAddress): void;
}

/** What the use cases depend on. A write may be retried, so time, ids and randomness are ports. */
export interface Ports {
  /** The store of all records. */
  readonly store: Store;
  /** The clock. */
  readonly clock: Clock;
  /** Generates ids of records. */
  readonly ids: Ids;
  /** Generates API tokens. */
  readonly tokenFactory: TokenFactory;
  /** Limits of this engine: where smaller, they replace those of the store. */
  readonly quotas?: Quotas | undefined;
  /** False: service administrators may not create tokens for other users. Default: they may. */
  readonly impersonation?: boolean | undefined;
  /** Runs the stored jobs. Several engines on one store in a process share it. Default: a runner of its own. */
  readonly jobs?: Jobs | undefined;
  /** How much of the change logs to keep, unless the settings of the store say. Default: that of the store. */
  readonly keepChanges?: KeepChanges | undefined;
  /** Rules of the host, called for each record that a call writes. */
  readonly guards?: readonly Guard[] | undefined;
  /**
   * How long deleted records stay in the trash, in milliseconds. 0: they are removed at once. Absent: as in the
   * settings of the store, by default 30 days.
   */
  readonly keepTrash?: number | undefined;
  /** Lets calls wait for changes. Absent: they answer at once. */
  readonly timers?: Timers | undefined;
  /** Wakes calls that wait. Several engines on one store in a process share it. Default: one of its own. */
  readonly wakeUps?: WakeUps | undefined;
  /** Earlier structures that readers of changes may have seen. An engine and its runner of jobs share it. Default: one of its own. */
  readonly recentStructures?: RecentStructures | undefined;
  /** Called when a job was stored. Absent: jobs that no caller waits for stay stored until `jobs.step` is called. */
  readonly wakeBackground?: (() => void) | undefined;
  /**
   * Called when a step of a stored job fails, once per job and cause. The step is retried. The function may be async; what
   * it throws or rejects with is ignored.
   */
  readonly onJobFailure?: ((failure: JobFailure) => unknown) | undefined;
  /** Yields to the event loop between the transactions of long work. Absent: it does not yield. */
  readonly yieldToEventLoop?: (() => Promise<void>) | undefined;
  /**
   * Makes a yielder for long work inside a transaction, such as over all pages of a workspace. Absent: it does not
   * yield.
   *
   * @param isInWrite others wait for the work until it ends
   */
  readonly yielder?: ((isInWrite?: boolean) => Yielder) | undefined;
}

/**
 * The caller of a use case. It is resolved inside the transaction of the call, so no cache gives access to a revoked
 * token or a disabled user.
 */
export type Caller =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'token'; readonly hash: string }
  | ExternalCaller
  /** The process with the store. It has no membership: it may only manage users, tokens and whole workspaces. */
  | { readonly kind: 'operator' };

/** A user authenticated by an external token issuer. An unknown one is provisioned as a user by the first call. */
export interface ExternalCaller {
  /** Distinguishes it from other callers. */
  readonly kind: 'external';
  /** 1-500 characters without white space. */
  readonly issuer: string;
  /** 1-255 characters: the issuer's permanent id of the user. */
  readonly subject: string;
  /** The name for a new user: 1-200 characters. */
  readonly name: string;
  /** The e-mail address, if the issuer has verified it; else null. */
  readonly verifiedEmail: string | null;
  /** Whether the issuer is trusted to sign in an existing user with this address. */
  readonly links: boolean;
  /** When the claims of the issuer expire. Absent: never. */
  readonly expiresAt?: string;
}

/** A call of a use case: its caller and its options. */
export interface Call {
  /** The caller. */
  readonly caller: Caller;
  /** The id of the request, in records of the audit trail. */
  readonly requestId?: string | undefined;
  /**
   * The versions of the record that the caller accepts, or the record as it was read. One must match. For a task whose
   * board may become hidden meanwhile, pass the record, as `[task]`: only that identifies the state that was read.
   */
  readonly ifVersion?: readonly ExpectedVersion[] | undefined;
  /**
   * The idempotency key: calls of one user with the same key and digest within 24 hours have one effect and the same
   * answer.
   */
  readonly idempotencyKey?: IdempotencyKey | undefined;
  /**
   * Called with the cursor of the snapshot that a read in a workspace was answered from, or that a write has made.
   * Later changes follow it. If called more than once, the last counts.
   */
  readonly onCursor?: ((cursor: string) => void) | undefined;
  /**
   * Called by a read, outside its transaction, before it makes an answer of many parts, such as comments, for a
   * user. The read continues when this resolves. Absent: it continues at once.
   */
  readonly beforeLargeAnswer?: ((userId: string, parts: number) => Promise<void>) | undefined;
  /**
   * Called by a read that waits for changes, with each cursor up to which it has found no event. Another read can
   * continue from there.
   */
  readonly onPassed?: ((cursor: string) => void) | undefined;
  /** Whether the answer of a write has null in place of very many comments: the caller reads them itself. */
  readonly leavesComments?: boolean | undefined;
  /** An `AbortSignal` that ends a read which waits for changes: it throws the signal's reason. Writes ignore it. */
  readonly signal?: Cancellation | undefined;
}

/** An idempotency key. */
export interface IdempotencyKey {
  /** The key, chosen by the caller. */
  readonly key: string;
  /** A digest of the input, compared before the call writes. */
  readonly digest: string;
  /** Called if the answer is a replay of the stored one. */
  readonly onReplay?: () => void;
}

/** The records that a stored answer names: it is replayed only to a caller who may still see them. */
export interface NamedInAnswer {
  /** The workspace of the records. */
  readonly workspaceId: string;
  /** Ids of pages, boards and tasks; null is skipped. */
  readonly records?: readonly (string | null)[];
}

/** What a use case works with: the ports, the call, and what the engine gives it. */
export interface Context extends Ports, Call {
  readonly jobs: Jobs;
  /** The id of the workspace that the input names. Absent: it names none. */
  readonly workspaceId?: string | undefined;
  /** The turns of readers who watch changes. Absent: each begins at once. */
  readonly turns?: Turns;
  /** What this call has computed on a snapshot for its write. Absent: nothing. */
  readonly precomputed?: Precomputed;
  /** What this call has reserved. Absent: nothing. */
  readonly reservation?: Reservation;
  /** The records that the answer names, for its replay. Absent: none that could be hidden later. */
  readonly named?: ((answer: never) => NamedInAnswer) | undefined;
  /**
   * The error that a repeated call gets because the first one has taken effect. The repeated call is answered
   * nevertheless.
   */
  readonly undoes?: ErrorCode;
  /** What is left to be done after the transaction. Absent: nothing is. */
  readonly effects?: CallEffects;
}

/** Effects of a call that are handled after its transaction. */
export interface CallEffects {
  /** The members and tokens that were used: their activity is recorded. */
  readonly active: Set<string>;
  /** The user resolved from the caller: the author of what the call writes. */
  userId: string | null;
  /** When the token of the caller, or the claims of their issuer, expire; null: never, or the caller has none. */
  expiresAt: string | null;
  /** The token of the caller, if it is stored. */
  tokenId: string | null;
  /** Whether a job was stored, so that the runner is woken. */
  jobs: boolean;
  /** Whether the result holds a secret and must not be stored. */
  secret: boolean;
  /** Whether a write transaction of the call is running. */
  writes: boolean;
}
