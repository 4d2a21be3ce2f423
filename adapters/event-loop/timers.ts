import type { Timers } from '../../core/ports/timers.ts';

/** The timers of the process. */
export const systemTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
