import { EspalierError, type ErrorCode } from '../../../core/kernel/errors.ts';
import type { Logger } from '../options.ts';
import { ReaderLost } from './backpressure-stream.ts';

/** Codes that concern the operator. Other codes are about what the client did, or is no longer allowed to do. */
const OF_THE_STORE: ReadonlySet<ErrorCode> = new Set(['store-busy', 'store-unavailable']);

/** Logs why a body was cut off, with a stack only for an unexpected error. @param name the name of the body */
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
