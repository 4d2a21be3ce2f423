import { readFileSync } from 'node:fs';

/** The times of each core since the machine was started, in hundredths of a second. */
export interface CoreTimes {
  readonly idle: number;
  readonly all: number;
}

/** The times of each core; empty on systems other than Linux. */
export function coreTimes(): CoreTimes[] {
  return process.platform !== 'linux' ? [] : coreTimesIn(readFileSync('/proc/stat', 'utf8'));
}

/** @param stat the content of `/proc/stat` */
export function coreTimesIn(stat: string): CoreTimes[] {
  return [...stat.matchAll(/^cpu\d+ (.+)$/gm)].map(([, fields]) => {
    // user, nice, system, idle, iowait, irq, softirq, steal. The time of guests is included in user.
    const times = fields!.trim().split(/\s+/).slice(0, 8).map(Number);
    return { idle: times[3]! + times[4]!, all: times.reduce((sum, each) => sum + each, 0) };
  });
}

/** The share of the time between two readings in which the least busy core worked, from 0 to 1; 0 if it is unknown. */
export function leastBusy(before: readonly CoreTimes[], after: readonly CoreTimes[]): number {
  const shares = after.map(({ idle, all }, i) => {
    const passed = all - before[i]!.all;
    return passed === 0 ? 0 : 1 - (idle - before[i]!.idle) / passed;
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}
