import { EspalierError, type ErrorCode } from '../../core/kernel/errors.ts';
import { EXIT_OF, type Exit } from './exit-codes.ts';

type FailureCode = ErrorCode | 'failed' | 'conflict' | 'interrupted';

const CODE_OF: Readonly<Record<Exit, FailureCode>> = {
  ok: 'failed',
  failed: 'failed',
  usage: 'invalid-input',
  notFound: 'not-found',
  denied: 'forbidden',
  conflict: 'conflict',
  interrupted: 'interrupted',
};

/** An error of the command line itself. The engine's errors are `EspalierError`s. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: Exit;
  /** The error code for scripts, like those of the engine. */
  readonly code: FailureCode;
  /** What to do next, one line each. */
  readonly hints: readonly string[];

  constructor(exit: Exit, message: string, hints: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
    this.code = CODE_OF[exit];
    this.hints = hints;
  }
}

export function usage(message: string, ...hints: string[]): Failure {
  return new Failure('usage', message, hints);
}

export function missing(message: string, ...hints: string[]): Failure {
  return new Failure('notFound', message, hints);
}

/** Rethrows errors with this code with a message that says what they are about. */
export function withMessage(code: ErrorCode, message: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof EspalierError && error.code === code) {
      throw new Failure(EXIT_OF[code] ?? 'failed', `${message} (${code})`, [], { cause: error });
    }
    throw error;
  };
}

/** For a read of what may be hidden or gone. Rethrows other errors. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof EspalierError && error.code === 'not-found') return null;
  throw error;
}

/** Any error as a failure to print. @param env decides whether to show the stack of an unexpected one */
export function failureOf(error: unknown, env: Readonly<Record<string, string | undefined>>): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof EspalierError) {
    const places = error.errors.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
    return new Failure(EXIT_OF[error.code] ?? 'failed', `${error.detail} (${error.code})`, [
      ...places,
      ...hintsFor(error),
    ]);
  }
  const unexpected = error instanceof Error ? error : new Error(String(error));
  const where = env['ESPALIER_DEBUG']
    ? (unexpected.stack ?? '')
    : 'Unexpected error: set ESPALIER_DEBUG=1 for a stack trace.';
  return new Failure('failed', unexpected.message, where.split('\n'));
}

/** What to check where the engine finds nothing. */
export const NAMES_NOTHING = 'An id names nothing here, or nothing that you can see.';

function hintsFor({ code }: EspalierError): string[] {
  if (code === 'unauthenticated') {
    return ['Use --as EMAIL on a store, or set ESPALIER_TOKEN for a service.'];
  }
  if (code === 'not-found') return [NAMES_NOTHING];
  return code === 'store-unavailable'
    ? [
        'Check that the address in --store or --url is correct and reachable; espalier config list shows where it is set.',
      ]
    : [];
}
