import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process when the bench ends, for whatever reason. @returns resolves when the process has ended */
export async function tied(child: ChildProcess): Promise<void> {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await once(child, 'exit');
  process.off('exit', kill);
}
