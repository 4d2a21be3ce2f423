import type { Io } from './io.ts';
import { safe } from './safe-text.ts';

/** Milliseconds between two updates. Shorter work shows nothing. */
const UPDATE_INTERVAL = 100;
const BAR_WIDTH = 24;

/** Shows the progress of long work at a terminal; nothing in scripts. */
export interface Progress {
  /** Adds to the progress; default: one. */
  step(more?: number): void;
  /** Clears the line. */
  end(): void;
}

/** @param of the total if it is known, for which a bar is drawn */
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
      if (now - last < UPDATE_INTERVAL) return;
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
  const full = Math.round(share * BAR_WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${what} ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${percent}%`;
}
