import { bulkRequests, type InTurn, listRequests } from './requests-in-turn.ts';
import type { Caller } from '../../../core/ports/context.ts';
import { EspalierError, type ErrorCode } from '../../../core/kernel/errors.ts';
import { inMemory, type Limiter } from '../../limiter/index.ts';
import { addressReader, networkOf } from '../request/address.ts';
import { userOfCaller } from '../request/user-of-caller.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { HttpOptions } from '../options.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { waitingRequests, type WaitingRequests } from './waiting-requests.ts';
import { HttpError } from '../response/problem.ts';

/** Rate limits of the service. */
export interface ServiceLimits {
  /** Undefined without a limit. @throws `too-many-requests` for an address with too many failed sign-ins */
  admit(context: RequestContext): Promise<void> | undefined;
  /**
   * Counts a request for the calling user, whichever token it uses. Undefined without a limit.
   *
   * @throws `too-many-requests`, and `unauthenticated` for an unknown caller
   */
  count(context: RequestContext, caller: Caller): Promise<void> | undefined;
  /**
   * Answers a request, and counts it when sign-in fails.
   *
   * @throws `too-many-requests` in place of an `unauthenticated` above the limit, so that guesses sent at once learn
   * no more than guesses sent one by one
   */
  failing<T>(context: RequestContext, answer: () => Promise<T>): Promise<T>;
  /**
   * Runs a look-up by a secret id, and counts it when nothing is found.
   *
   * @throws `too-many-requests` above the limit of failed look-ups, this one included
   */
  guess<T>(context: RequestContext, caller: Caller, lookUp: () => Promise<T>): Promise<T>;
  /** Waits for changes. @throws `too-many-requests` if too many requests wait already */
  readonly waiting: WaitingRequests;
  /** Runs bulk requests, those of one user one after the other. */
  readonly bulk: InTurn;
  /** Runs requests for lists that may be very large, a few of each user at once. */
  readonly lists: InTurn;
  /** Limits the running exports and snapshots of workspaces. */
  readonly wholeReads: ConcurrencyLimit;
  /** Limits the open streams of events. */
  readonly streams: ConcurrencyLimit;
}

const MINUTE = 60;
const WHOLE_READS = { perUser: 2, perProcess: Infinity };
const STREAMS = { perUser: 64, perProcess: 2_048 };
const TOO_MANY_WHOLE_READS = `One user takes at most ${WHOLE_READS.perUser} exports and snapshots at once: wait until one of them has ended.`;

/** @param draining aborted when the service closes */
export function limitsOf(
  { engine, limits = {}, limiter = inMemory, trustedProxies = [], waits = {}, streams = {} }: HttpOptions,
  draining: AbortSignal,
): ServiceLimits {
  const perMinute = (name: string, points: number | undefined) =>
    points === undefined ? undefined : limiter({ name, points, seconds: MINUTE });
  const { requestsPerMinute, failuresPerMinute, unknownInvitationsPerMinute } = limits;
  const requests = perMinute('requests', requestsPerMinute);
  const failures = perMinute('failures', failuresPerMinute);
  const guesses = perMinute('invitations', unknownInvitationsPerMinute);
  const { countedAs, forget } = userOfCaller(engine);
  const addressOf = addressReader(trustedProxies);
  const networksBehind = (context: RequestContext): string[] => {
    const address = addressOf(context);
    return address === undefined ? [] : [networkOf(address)];
  };
  const counted = async (limiter: Limiter, { responseHeaders }: RequestContext, caller: Caller) => {
    const { key, refusal } = await countedAs(caller);
    const { left, seconds, isOver } = await limiter.use(key);
    responseHeaders['ratelimit-limit'] = String(requestsPerMinute);
    responseHeaders['ratelimit-remaining'] = String(left);
    responseHeaders['ratelimit-reset'] = String(seconds);
    if (isOver) throw tooMany(seconds);
    if (refusal !== undefined) throw refusal;
  };
  const forgetting = <T>(context: RequestContext, answer: () => Promise<T>): Promise<T> =>
    answer().catch((error: unknown) => {
      const { countedCaller } = context;
      if (countedCaller !== undefined && isError(error, 'unauthenticated')) forget(countedCaller);
      throw error;
    });
  return {
    waiting: waitingRequests(waits, countedAs, draining),
    bulk: bulkRequests(countedAs),
    lists: listRequests(countedAs),
    wholeReads: new ConcurrencyLimit(WHOLE_READS, countedAs, TOO_MANY_WHOLE_READS),
    streams: new ConcurrencyLimit({ ...STREAMS, ...streams }, countedAs, 'Too many streams are open: end one of them.'),
    admit(context) {
      return failures === undefined ? undefined : requireRoom(failures, networksBehind(context));
    },
    count(context, caller) {
      if (requests === undefined) return undefined;
      context.countedCaller = caller;
      return counted(requests, context, caller);
    },
    failing(context, answer) {
      const work = requests === undefined ? answer : () => forgetting(context, answer);
      if (failures === undefined) return work();
      return countedWhere('unauthenticated', failures, networksBehind(context), work);
    },
    async guess(context, caller, lookUp) {
      if (guesses === undefined) return lookUp();
      const { key, refusal } = await countedAs(caller);
      if (refusal !== undefined) throw refusal;
      const keys = [key, ...networksBehind(context)];
      await requireRoom(guesses, keys);
      return countedWhere('not-found', guesses, keys, lookUp);
    },
  };
}

async function requireRoom(limiter: Limiter, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { isOver, seconds } = await limiter.peek(key);
    if (isOver) throw tooMany(seconds);
  }
}

/** Runs the work, and counts it for each key when it fails with the code. @throws `too-many-requests` above the limit */
async function countedWhere<T>(
  code: ErrorCode,
  limiter: Limiter,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isError(error, code)) throw error;
    const uses = await Promise.all(keys.map((key) => limiter.use(key)));
    const over = uses.find(({ isOver }) => isOver);
    throw over === undefined ? error : tooMany(over.seconds);
  }
}

function isError(error: unknown, code: ErrorCode): boolean {
  return error instanceof EspalierError && error.code === code;
}

function tooMany(seconds: number): HttpError {
  const headers = { 'retry-after': String(seconds) };
  return new HttpError(
    'too-many-requests',
    'There were too many requests: wait for the seconds in Retry-After.',
    headers,
  );
}
