import type { Context, IdempotencyKey } from '../../ports/context.ts';
import { conflict, EspalierError } from '../../kernel/errors.ts';
import { timestamp } from '../../kernel/record.ts';
import type { IdempotencyRecord } from '../../model/log/idempotency-record.ts';
import type { ReadTransaction, Transaction } from '../../ports/store.ts';
import { identify } from '../../access/identify.ts';
import { countStoredAnswer } from './idempotency-usage.ts';
import { storedAnswerOf, wasTooLong } from './stored-answer.ts';
import { quotasOf } from '../quota/quota-guard.ts';
import { seesAllNamed } from './visible-answer.ts';

/** How long the result of a call is stored, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;
/** Has passed by the clock of any process. */
const LONG_AGO = new Date(0).toISOString();
/** Expired results that each call removes. */
const EXPIRED_PER_CALL = 10;

/** Thrown to end a transaction without effect, with the stored answer. */
class ReplayedResult extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super('replayed');
    this.record = record;
  }
}

/** What a write has made. */
export interface WriteResult<T> {
  readonly output: T;
  /** After it; undefined: none was asked for, or there is none. */
  readonly cursor: string | undefined;
}

type Work<T> = (tx: Transaction) => Promise<WriteResult<T>>;
type RunWork<T> = (work: Work<T>) => Promise<WriteResult<T>>;

/**
 * Runs a write once per idempotency key: the first call runs it and stores its result, later calls get that result.
 * Whether the caller is still allowed to make the call, and sees all records named in the result, is checked each time.
 *
 * @throws `replay-hidden` if the caller no longer sees all records named in the result
 * @throws `quota-exceeded` if no more answers may be stored
 * @throws `key-reused` for another input with the same key
 * @throws `secret-not-kept` if the result held a secret
 */
export function idempotent<T>(context: Context, run: RunWork<T>, work: Work<T>): Promise<WriteResult<T>> {
  const { idempotencyKey } = context;
  return idempotencyKey === undefined ? run(work) : oncePerKey(context, idempotencyKey, run, work);
}

async function oncePerKey<T>(
  context: Context,
  idempotencyKey: IdempotencyKey,
  run: RunWork<T>,
  work: Work<T>,
): Promise<WriteResult<T>> {
  const { named, workspaceId, precomputed } = context;
  try {
    return await run(async (tx) => {
      const owner = await ownerOf(tx, context);
      const key = recordKey(owner, idempotencyKey);
      const now = timestamp(context);
      const [before] = await Promise.all([
        tx.idempotency.get(key),
        // Read by almost every call. A store may queue writes by their workspace, and so learns of it with the first look-up.
        workspaceId === undefined ? null : tx.structures.get(workspaceId, precomputed?.structure),
      ]);
      if (before === null || before.expiresAt <= now) {
        const written = await work(tx);
        const { output, cursor } = written;
        const answer = context.effects?.secret === true ? null : storedAnswerOf(output);
        const expiresAt = new Date(context.clock.now() + KEPT_FOR).toISOString();
        await tx.idempotency.removeExpired(now, EXPIRED_PER_CALL);
        const times = { now: context.clock.now(), keptFor: KEPT_FOR };
        await countStoredAnswer(tx, await quotasOf(tx, context), owner, answer, times);
        const { digest } = idempotencyKey;
        await tx.idempotency.put({ key, digest, output: answer, ...(cursor !== undefined && { cursor }), expiresAt });
        return written;
      }
      if (before.digest !== idempotencyKey.digest) {
        throw new EspalierError('key-reused', 'The idempotency key was used with another request: use a new one.');
      }
      const rerun = await stillAllowed(work(tx), context.undoes);
      const output = wasTooLong(before.output) ? valueOf(rerun) : before.output;
      if (named !== undefined && output !== null && !(await seesAllNamed(tx, context, named(output as never)))) {
        throw conflict(
          'replay-hidden',
          'The request took effect before. You no longer see everything that its answer names.',
        );
      }
      throw new ReplayedResult({ ...before, output });
    });
  } catch (error) {
    if (!(error instanceof ReplayedResult)) throw error;
    if (error.record.output === null && context.effects?.secret === true) {
      throw new EspalierError(
        'secret-not-kept',
        'The request took effect before. Its answer had a secret, and is not kept.',
      );
    }
    idempotencyKey.onReplay?.();
    // The second run, which checked access, was rolled back: its cursor does not exist, so the stored one is returned.
    return { output: error.record.output as T, cursor: error.record.cursor };
  }
}

/** Whether the idempotency key of a call has a stored answer, for this or another input. */
export async function hasStoredAnswer(tx: ReadTransaction, context: Context): Promise<boolean> {
  const key = await storedAnswerKey(tx, context);
  if (key === null) return false;
  const stored = await tx.idempotency.get(key);
  return stored !== null && stored.expiresAt > timestamp(context);
}

/** The key of the record that has, or will have, the answer of a call; null: it has no idempotency key. */
export async function storedAnswerKey(tx: ReadTransaction, context: Context): Promise<string | null> {
  const { idempotencyKey } = context;
  return idempotencyKey === undefined ? null : recordKey(await ownerOf(tx, context), idempotencyKey);
}

/** Frees the idempotency key of a call whose work has failed after its answer was stored. */
export async function forgetAnswer(tx: Transaction, key: string): Promise<void> {
  await tx.idempotency.put({ key, digest: '', output: null, expiresAt: LONG_AGO });
}

function recordKey(owner: string, { key }: IdempotencyKey): string {
  return `${owner} ${key}`;
}

/** The owner of the caller's idempotency keys. */
async function ownerOf(tx: ReadTransaction, context: Context): Promise<string> {
  const { user } = await identify(tx, context);
  return user?.id ?? 'operator';
}

const REFUSALS = new Set(['unauthenticated', 'forbidden', 'not-found', 'unusable-reference']);

type RerunResult = { readonly value: unknown } | { readonly conflict: EspalierError };

/**
 * Runs the write again, without effect, to check access. Conflicts are ignored: the first call has caused them.
 *
 * @throws the error that refuses it
 */
async function stillAllowed(
  running: Promise<WriteResult<unknown>>,
  expected: string | undefined,
): Promise<RerunResult> {
  try {
    return { value: (await running).output };
  } catch (error) {
    if (!(error instanceof EspalierError) || (REFUSALS.has(error.code) && error.code !== expected)) throw error;
    return { conflict: error };
  }
}

function valueOf(rerun: RerunResult): unknown {
  if ('conflict' in rerun) throw rerun.conflict;
  return rerun.value;
}
