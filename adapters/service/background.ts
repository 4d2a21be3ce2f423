/** Runs background work in small steps, between which the event loop goes on. */
export interface Background {
  /** Calls `step` until it returns false. A step that fails ends its run: the remaining work stays in the store. */
  defer(step: () => Promise<boolean>): void;
  /** Resolves when no step is running. */
  idle(): Promise<void>;
  /** Ends after the steps that are running now. */
  stop(): Promise<void>;
}

export function createBackground(): Background {
  const runs = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function run(step: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted && (await step().catch(() => false))) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  const idle = async (): Promise<void> => {
    while (runs.size > 0) await Promise.all(runs);
  };

  return {
    defer(step) {
      if (stopping.signal.aborted) return;
      const running = run(step).finally(() => runs.delete(running));
      runs.add(running);
    },
    idle,
    async stop() {
      stopping.abort();
      await idle();
    },
  };
}
