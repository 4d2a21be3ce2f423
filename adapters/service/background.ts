/** Runs background work in small steps, between which the event loop goes on. */
export interface Background {
  /** There may be something to do now. */
  wake(): void;
  /** Resolves when nothing is running: what is left waits for its time. */
  idle(): Promise<void>;
  /** Ends after the step that is running now. */
  stop(): Promise<void>;
}

/** How often it is looked for work that another process has left, in ms. */
const LONGEST_WAIT = 30_000;
const FIRST_DELAY = 1_000;

/**
 * @param step does a part of what there is to do. Returns milliseconds until there may be more, 0 for at once and null
 * when nothing waits. One that fails is tried again, after 1 s at first and up to 30 s later.
 */
export function createBackground(step: () => Promise<number | null>): Background {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let woken = false;
  let stopped = false;
  let failures = 0;

  async function run(): Promise<void> {
    for (;;) {
      woken = false;
      const wait = await attempt();
      if (stopped) return;
      if (wait > 0 && !woken) {
        timer = setTimeout(wake, wait).unref();
        return;
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
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
    running ??= run().finally(() => (running = null));
  }

  // Woken again meanwhile, it runs again.
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
