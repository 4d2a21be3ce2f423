import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every machine. */
const TICK = 10_000;

/** The CPU time of all threads of a process, user and system, in microseconds. Linux only. */
export function cpuOf(pid: number): number {
  return cpuIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The running child processes of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentIn(statOf(name)) === pid)
    .map(Number);
}

/** The content; empty if the process has ended. */
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

/** The fields from the third on: the second one is a name that may contain any character. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
