import { HttpError } from '../../../adapters/http/response/problem.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';

/** `ok`, or the code with which a request is turned away, and the fields at fault: `invalid-input /limit`. */
export function refusal(act: () => unknown): string {
  try {
    act();
    return 'ok';
  } catch (error) {
    return codeOf(error);
  }
}

/** The same of what takes its time. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof HttpError) return error.code;
  if (error instanceof EspalierError) return [error.code, ...error.errors.map(({ pointer }) => pointer)].join(' ');
  throw error;
}
