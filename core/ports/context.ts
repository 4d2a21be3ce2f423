import type { Clock } from './clock.ts';
import type { Quotas } from '../model/quotas.ts';
import type { JobAddress } from '../model/job.ts';
import type { JobFailure } from '../jobs/failure.ts';
import type { Store } from './store.ts';
import type { Yielder } from './yielder.ts';

export interface Ids {
  /** A UUID v7: a later one sorts after an earlier one of the same process. */
  next(): string;
  /** A UUID v4: an id that is itself a secret. */
  secret(): string;
}

/** Makes API tokens. `hash` is what is stored and looked up; the secret is shown once. */
export interface TokenFactory {
  token(): { readonly secret: string; readonly hash: string };
}

/** Does stored jobs in steps. See `core/jobs/runner.ts`. */
export interface Jobs {
  step(): Promise<number | null>;
  finish(job: JobAddress): Promise<void>;
}

/** What the use cases stand on. A write may run more than once, so time, ids and randomness come from here. */
export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tokenFactory: TokenFactory;
  /** Where they are smaller they hold in place of those of the store. */
  readonly quotas?: Quotas | undefined;
  /** False: no service administrator may make a token for another user. Default: they may. */
  readonly impersonation?: boolean | undefined;
  /** Does the stored jobs. The one of the process, where several engines share a store. Default: one of its own. */
  readonly jobs?: Jobs | undefined;
  /** Told that a job has been left. Absent: jobs that nobody waits for are left until someone calls `jobs.step`. */
  readonly wakeBackground?: (() => void) | undefined;
  /** Told of stored jobs that fail and are tried again, once for each job and cause. */
  readonly onJobFailure?: ((failure: JobFailure) => void) | undefined;
  /** Lets others run between two parts of long work. Absent: they wait for all of it. */
  readonly yieldToEventLoop?: (() => Promise<void>) | undefined;
  /** One for each long work inside a transaction, as over all pages of a workspace. Absent: that is done at once. */
  readonly yielder?: (() => Yielder) | undefined;
}

/**
 * On whose behalf a call is made. It is resolved inside the transaction of the call,
 * so that a revoked token or a disabled user is never served from memory.
 */
export type Caller =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'token'; readonly hash: string }
  | ExternalCaller
  /** Whoever holds the store itself. Has no membership: may only manage users, tokens and whole workspaces. */
  | { readonly kind: 'operator' };

/** Somebody for whom an issuer of tokens vouches. Who is not known yet becomes a user with the first call. */
export interface ExternalCaller {
  readonly kind: 'external';
  /** 1-500 characters without white space. */
  readonly issuer: string;
  /** 1-255 characters: who it is at the issuer, for good. */
  readonly subject: string;
  /** For a new user. */
  readonly name: string;
  /** The address, if the issuer has verified it; else null. */
  readonly verifiedEmail: string | null;
  /** Whether the issuer is trusted to sign in a user who is there already, by this address. */
  readonly links: boolean;
}

export interface Call {
  readonly caller: Caller;
  readonly requestId?: string | undefined;
  /** The versions the caller expects the record to have; any one of them will do. */
  readonly ifVersion?: readonly number[] | undefined;
  /** A call with the same key and digest, by the same user within 24 hours, happens once and is answered alike. */
  readonly once?: IdempotencyKey | undefined;
}

/** What makes a call happen once. */
export interface IdempotencyKey {
  readonly key: string;
  /** Looked at when the call is about to write. */
  readonly digest: string;
  /** Told that the answer is the one kept from before. */
  readonly onReplay?: () => void;
}

/** What an answer tells of, and only who may see it may be told again. */
export interface NamedInAnswer {
  readonly workspaceId: string;
  /** Ids of pages, boards and tasks; null is passed over. */
  readonly records?: readonly (string | null)[];
}

export interface Context extends Ports, Call {
  readonly jobs: Jobs;
  /** What the answer names, if it may be kept and told again. Absent: nothing that could be hidden later. */
  readonly named?: ((answer: never) => NamedInAnswer) | undefined;
  readonly effects?: CallEffects;
}

/** What a call leaves to be done after it. */
export interface CallEffects {
  /** The members and tokens that were active. */
  readonly active: Set<string>;
  /** The user that the transaction found behind the caller: who did what it writes. */
  userId: string | null;
  /** Whether a job was left. */
  jobs: boolean;
  /** Whether the result holds a secret and is not to be kept. */
  secret: boolean;
  /** Where in a column there was no room for the task of a call that was refused. */
  crowded: CrowdedPlace | null;
}

/** A place in a column with too little room: at this key, or right above it. */
export interface CrowdedPlace {
  readonly workspaceId: string;
  readonly statusId: string;
  readonly place: number;
}
