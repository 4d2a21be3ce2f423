import { once } from 'node:events';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../http/index.ts';

/** The polling interval of the watching thread, in milliseconds. */
const INTERVAL = 500;

const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, workerData.interval);
`;

/**
 * Kills this process within a second after its parent has ended. Not by `process.exit`, which waits for all threads:
 * lmdb's writer thread waits for this one, and would hold the store's lock for ever.
 *
 * The channel to the parent reports its end at once; a separate thread also polls, in case the event loop is blocked.
 *
 * @param isOver whether this process has closed the channel itself
 * @returns when both are running
 */
export async function endWithParent(logger: Logger, isOver: () => boolean): Promise<void> {
  const end = () => process.kill(process.pid, 'SIGKILL');
  // Runs before the listener of `node:cluster`, which exits.
  process.prependOnceListener('disconnect', () => {
    if (isOver()) return;
    logger.error({}, 'worker ends because its parent process has ended');
    process.once('exit', end);
    setImmediate(end);
  });
  const workerData = { parent: process.ppid, interval: INTERVAL };
  const watch = new Worker(WATCH, { eval: true, workerData, execArgv: [], env: {} });
  await once(watch, 'online');
  watch.unref();
}
