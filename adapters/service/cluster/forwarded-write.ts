import type { Engine } from '../../../core/engine.ts';
import { EspalierError, type ErrorCode, type FieldError } from '../../../core/kernel/errors.ts';
import type { Call } from '../../../core/ports/context.ts';
import { useCaseNamed } from '../../../core/wrap-engine.ts';
import type { UseCaseName } from '../../schemas/index.ts';

/** A call of a use case that writes, as sent to another process in JSON. */
export interface ForwardedWrite {
  readonly useCase: UseCaseName;
  readonly call: Call;
  readonly input: unknown;
}

/** The result of a forwarded write. */
export type ForwardedOutcome =
  | { readonly output?: unknown; readonly isReplay: boolean; readonly cursor?: string | undefined }
  | { readonly refusal: Refusal }
  | { readonly failure: ForwardedError };

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** The cause, for the log of the process that answers the client. */
  readonly cause?: ForwardedError | undefined;
}

interface ForwardedError {
  readonly message: string;
  readonly stack?: string | undefined;
}

/** Runs a forwarded write. Never rejects: an error of the use case is an outcome too. */
export async function runForwarded(
  engine: Engine,
  { useCase, call, input }: ForwardedWrite,
): Promise<ForwardedOutcome> {
  const run = useCaseNamed(engine, useCase);
  let isReplay = false;
  let cursor: string | undefined;
  const idempotencyKey = call.idempotencyKey && { ...call.idempotencyKey, onReplay: () => void (isReplay = true) };
  try {
    const onCursor = (behind: string) => void (cursor = behind);
    const output = await run({ ...call, idempotencyKey, onCursor, leavesComments: true }, input);
    return { output, isReplay, cursor };
  } catch (error) {
    if (error instanceof EspalierError) {
      const { code, detail, errors, cause } = error;
      return { refusal: { code, detail, errors, cause: cause === undefined ? undefined : failureOf(cause) } };
    }
    return { failure: failureOf(error) };
  }
}

/** Returns what the use case returned. @throws what it threw */
export function resultOfOutcome(outcome: ForwardedOutcome, call: Call): unknown {
  if ('refusal' in outcome) {
    const { code, detail, errors, cause } = outcome.refusal;
    throw new EspalierError(code, detail, errors, cause && { cause: errorOf(cause) });
  }
  if ('failure' in outcome) throw errorOf(outcome.failure);
  if (outcome.isReplay) call.idempotencyKey?.onReplay?.();
  if (outcome.cursor !== undefined) call.onCursor?.(outcome.cursor);
  return outcome.output;
}

function failureOf(error: unknown): ForwardedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack };
}

function errorOf({ message, stack }: ForwardedError): Error {
  return Object.assign(new Error(message), stack === undefined ? {} : { stack });
}
