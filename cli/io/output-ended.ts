import { EXIT } from './exit-codes.ts';

/** Why the program is asked to stop where its output cannot be written any more. */
export class OutputEnded extends Error {
  /** What the program ends with: a reader who has read enough, as `head` does, is no failure. */
  readonly exitCode: number;

  constructor(error: NodeJS.ErrnoException) {
    super(`The standard output cannot be written: ${error.message}`, { cause: error });
    this.exitCode = error.code === 'EPIPE' ? EXIT.ok : EXIT.failed;
  }
}
