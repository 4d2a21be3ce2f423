import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK = 10_000;

/** Microseconds of CPU that all threads of a process have used, user and system. Linux only. */
export function cpuOf(pid: number): number {
  return cpuIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The processes that a process has started, and that run. Linux only. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentIn(statOf(name)) === pid)
    .map(Number);
}

/** Empty when it has ended meanwhile. */
function statOf(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    return '';
  }
}

function parentIn(stat: string): number {
  return Number(fieldsOf(stat)[1]);
}

/** @param stat a line of `/proc/PID/stat` */
export function cpuIn(stat: string): number {
  const fields = fieldsOf(stat);
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * TICK;
}

/** From the third on: the second is a name that may hold anything. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
