import type { Exit } from './exit-codes.ts';

/** A way to fail that the command line itself knows. The engine's own errors are `EspalierError`s. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: Exit;
  /** What to do next, one line each. */
  readonly hints: readonly string[];

  constructor(exit: Exit, message: string, hints: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
    this.hints = hints;
  }
}

export function usage(message: string, ...hints: string[]): Failure {
  return new Failure('usage', message, hints);
}

export function missing(message: string, ...hints: string[]): Failure {
  return new Failure('notFound', message, hints);
}
