import type { Caller } from '../../../core/ports/context.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Authentication } from './authentication.ts';
import type { RequestContext } from './request-context.ts';
import { HttpError } from '../response/problem.ts';
import type { Reply } from '../response/reply.ts';

/**
 * Answers on behalf of the caller. Use cases authenticate the caller themselves; a request that is refused before it
 * reaches one is authenticated here, because 401 comes before every other error.
 */
export async function signedIn(
  authentication: Authentication,
  context: RequestContext,
  answer: (caller: Caller) => Promise<Reply>,
): Promise<Reply> {
  const caller = await authentication.callerOf(context);
  try {
    return await answer(caller);
  } catch (error) {
    if (isBadRequest(error)) await authentication.confirm(caller);
    throw error;
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof HttpError || (error instanceof EspalierError && error.code === 'invalid-input');
}
