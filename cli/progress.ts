import type { Io } from './io.ts';

const EVERY = 500;

/** Tells somebody at a terminal how far a long work has come; says nothing to a script. */
export interface Progress {
  /** One more is done. */
  step(): void;
  /** Takes the line away. */
  end(): void;
}

export function progressOf({ stderr }: Pick<Io, 'stderr'>, what: string, of?: number): Progress {
  let done = 0;
  const said = () => (of === undefined ? `${done} ${what}` : `${done} of ${of} ${what}`);
  const shown = stderr.isTTY === true;
  return {
    step() {
      done++;
      if (shown && done % EVERY === 0) stderr.write(`\r${said()}`);
    },
    end() {
      if (shown && done >= EVERY) stderr.write(`\r${' '.repeat(said().length)}\r`);
    },
  };
}
