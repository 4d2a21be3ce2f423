import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK = 10_000;

/** Microseconds of CPU that all threads of a process have used, user and system. Linux only. */
export function cpuOf(pid: number): number {
  return cpuIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** @param stat a line of `/proc/PID/stat`, whose second field is a name that may hold anything */
export function cpuIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * TICK;
}
