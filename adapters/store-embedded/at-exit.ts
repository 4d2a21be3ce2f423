import { isMainThread } from 'node:worker_threads';

const tasks = new Set<() => void>();

function runAll(): void {
  for (const task of tasks) task();
}

/**
 * Registers a function to call when the process exits. All functions share one listener, as a process may have many
 * stores open.
 *
 * @returns a function that unregisters it
 */
export function atExit(task: () => void): () => void {
  // In a worker thread, `exit` is the exit of the thread, not of the process.
  if (!isMainThread) return () => {};
  if (tasks.size === 0) process.on('exit', runAll);
  tasks.add(task);
  return () => {
    tasks.delete(task);
    if (tasks.size === 0) process.off('exit', runAll);
  };
}
