import { EXIT } from './exit-codes.ts';

/** The reason to stop the program when its output can no longer be written. */
export class OutputEnded extends Error {
  /** The exit code: a reader that has read enough, such as `head`, is no failure. */
  readonly exitCode: number;

  constructor(error: NodeJS.ErrnoException) {
    super(`The standard output cannot be written: ${error.message}`, { cause: error });
    this.exitCode = error.code === 'EPIPE' ? EXIT.ok : EXIT.failed;
  }
}
