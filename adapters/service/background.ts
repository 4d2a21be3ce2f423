import { nextTurn } from '../event-loop/next-turn.ts';
import { inThisContext } from '../event-loop/this-context.ts';

/** Runs background work in small steps, yielding to the event loop between them. */
export interface Background {
  /** Called when there may be work now. */
  wake(): void;
  /** Resolves when nothing is running; remaining work is not due yet. */
  idle(): Promise<void>;
  /** Stops after the running step. */
  stop(): Promise<void>;
}

/** The polling interval for work left by other processes, in milliseconds. */
const LONGEST_WAIT = 30_000;
const FIRST_DELAY = 1_000;

/**
 * @param step does a part of the work. It returns the milliseconds until there may be more work: 0 if at once, null if
 * no work waits. A failed step is retried with exponential backoff, from 1 s up to 30 s.
 */
export function createBackground(step: () => Promise<number | null>): Background {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let woken = false;
  let stopped = false;
  let failures = 0;
  // A step is work of any caller: the context of whoever woke it would be that of another, and be retained by the timer.
  const start = inThisContext(run);

  async function run(): Promise<void> {
    for (;;) {
      woken = false;
      const wait = await attempt();
      const isDone = wait > 0 && !woken;
      if (stopped || isDone) {
        // Cleared here, not when the promise resolves: a wake-up in between would stop the timer for nothing.
        running = null;
        if (!stopped) timer = setTimeout(wake, wait).unref();
        return;
      }
      await nextTurn();
    }
  }

  async function attempt(): Promise<number> {
    try {
      const wait = await step();
      failures = 0;
      return Math.min(wait ?? LONGEST_WAIT, LONGEST_WAIT);
    } catch {
      failures += 1;
      return Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_WAIT);
    }
  }

  function wake(): void {
    if (stopped) return;
    woken = true;
    clearTimeout(timer);
    running ??= start();
  }

  // If it was woken in the meantime, it runs again.
  const idle = async (): Promise<void> => {
    const run = running;
    if (run === null) return;
    await run;
    await idle();
  };

  return {
    wake,
    idle,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await idle();
    },
  };
}
