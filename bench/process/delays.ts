import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The delays of the event loop since the last call, in milliseconds. */
export interface Delays {
  readonly p99: number;
  readonly longest: number;
}

const RESOLUTION = 5;

export function delays() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  // The timer itself waits for this long, which is not a delay.
  const over = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  return {
    start(): void {
      histogram.enable();
      histogram.reset();
    },
    take(): Delays {
      const taken = { p99: over(histogram.percentile(99)), longest: over(histogram.max) };
      histogram.reset();
      return taken;
    },
    /** Stops measuring, which wakes the process 200 times a second, and returns the last figures. */
    stop(): Delays {
      histogram.disable();
      return this.take();
    },
  };
}
