import type { Io } from './io.ts';
import { safe } from './safe-text.ts';

/** Milliseconds between two looks. What is done sooner shows nothing. */
const EVERY = 100;
const WIDE = 24;

/** Tells somebody at a terminal how far a long work has come; says nothing to a script. */
export interface Progress {
  /** More is done; default: one more. */
  step(more?: number): void;
  /** Takes the line away. */
  end(): void;
}

/** @param of how much there is to do, where it is known; it is then drawn as a bar */
export function progressOf({ stderr }: Pick<Io, 'stderr'>, what: string, of?: number): Progress {
  if (!stderr.isTTY) return { step() {}, end() {} };
  let done = 0;
  let drawn = '';
  let last = performance.now();
  const draw = (text: string) => {
    stderr.write(safe`\r${text.padEnd(drawn.length)}`);
    drawn = text;
  };
  return {
    step(more = 1) {
      done += more;
      const now = performance.now();
      if (now - last < EVERY) return;
      last = now;
      draw(progressText(what, done, of).slice(0, (stderr.columns ?? 80) - 1));
    },
    end() {
      if (drawn !== '') stderr.write(safe`\r${' '.repeat(drawn.length)}\r`);
      drawn = '';
    },
  };
}

export function progressText(what: string, done: number, of: number | undefined): string {
  if (of === undefined) return `${done.toLocaleString('en')} ${what}`;
  const share = of === 0 ? 1 : Math.min(1, done / of);
  const full = Math.round(share * WIDE);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${what} ${'█'.repeat(full)}${'░'.repeat(WIDE - full)} ${percent}%`;
}
