import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../http/index.ts';

/** How often the second look is taken, in milliseconds. */
const INTERVAL = 500;

const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, workerData.interval);
`;

/**
 * Ends this process when the one that started it is gone, for sure and within a second. Not by `process.exit`, which waits
 * for every thread: one that is writing to the store waits for this one, and would hold the store's lock for ever.
 *
 * The channel to the parent tells at once; a thread of its own looks as well, for a process whose event loop is held up.
 *
 * @param isOver whether this process closes the channel itself
 * @returns when both are at work
 */
export async function endWithParent(logger: Logger, isOver: () => boolean): Promise<void> {
  const end = () => process.kill(process.pid, 'SIGKILL');
  // Before the listener of `node:cluster`, which exits.
  process.prependOnceListener('disconnect', () => {
    if (isOver()) return;
    logger.error({}, 'the process that started this worker is gone, and so it ends');
    process.once('exit', end);
    setImmediate(end);
  });
  const workerData = { parent: process.ppid, interval: INTERVAL };
  const watch = new Worker(WATCH, { eval: true, workerData, execArgv: [], env: {} });
  await once(watch, 'online');
  watch.unref();
}
