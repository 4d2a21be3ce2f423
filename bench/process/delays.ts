import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long the event loop kept others waiting since it was last asked, in milliseconds. */
export interface Delays {
  readonly p99: number;
  readonly longest: number;
}

const RESOLUTION = 5;

export function delays() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  // The timer itself waits for this long: that is no delay.
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
    /** The last figures: measuring wakes the process 200 times a second. */
    stop(): Delays {
      histogram.disable();
      return this.take();
    },
  };
}
