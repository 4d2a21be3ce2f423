import type { Io } from './io.ts';

const EVERY = 500;

/** Tells somebody at a terminal how far a long work has come; says nothing to a script. */
export interface Progress {
  /** One more is done. */
  step(): void;
  /** Takes the line away. */
  end(): void;
}

export function progressOf({ stderr }: Pick<Io, 'stderr'>, what: string): Progress {
  let done = 0;
  const shown = stderr.isTTY === true;
  return {
    step() {
      done++;
      if (shown && done % EVERY === 0) stderr.write(`\r${done} ${what}`);
    },
    end() {
      if (shown && done >= EVERY) stderr.write(`\r${' '.repeat(String(done).length + what.length + 1)}\r`);
    },
  };
}
