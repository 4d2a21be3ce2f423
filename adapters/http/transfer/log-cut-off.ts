import { EspalierError, type ErrorCode } from '../../../core/kernel/errors.ts';
import type { Logger } from '../options.ts';
import { ReaderLost } from './backpressure-stream.ts';

/** What the operator looks into. Other codes say what a client did, or may do no more. */
const OF_THE_STORE: ReadonlySet<ErrorCode> = new Set(['store-busy', 'store-unavailable']);

/** Logs why a body was cut off, with a stack only for an unexpected error. @param name of what was sent */
export function logCutOff(
  logger: Logger | undefined,
  requestId: string | undefined,
  name: string,
  error: unknown,
): void {
  const message = `${name} aborted`;
  if (error instanceof ReaderLost) logger?.info({ requestId, reason: error.message }, message);
  else if (!(error instanceof EspalierError)) logger?.error({ requestId, err: error }, message);
  else {
    const { code, detail } = error;
    logger?.[OF_THE_STORE.has(code) ? 'error' : 'info']({ requestId, code, reason: detail }, message);
  }
}
