import { isMainThread } from 'node:worker_threads';

const tasks = new Set<() => void>();

function runAll(): void {
  for (const task of tasks) task();
}

/**
 * Has something done when the process exits. One listener does for all: a process may have many stores open.
 *
 * @returns what takes it back
 */
export function atExit(task: () => void): () => void {
  // The exit of a thread is not that of the process.
  if (!isMainThread) return () => {};
  if (tasks.size === 0) process.on('exit', runAll);
  tasks.add(task);
  return () => {
    tasks.delete(task);
    if (tasks.size === 0) process.off('exit', runAll);
  };
}
