import cluster from 'node:cluster';
import { channelTo, type Answers, type Ask } from './channel.ts';
import { processMessages } from './messages.ts';

/** A worker process, as seen by the primary. */
export interface Fork {
  readonly pid: number;
  readonly ask: Ask;
  readonly ended: Promise<ProcessExit>;
  /** Kills it at once. */
  readonly kill: () => void;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Forks this program as a worker. Workers share the listening socket and accept connections themselves: none is handed
 * over, so none can get lost (docs/decisions/0010-workers.md).
 */
export function fork(answers: Answers): Fork {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: ['worker'] });
  const worker = cluster.fork();
  const child = worker.process;
  const ended = new Promise<ProcessExit>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      // Without a pid it could not be started. Otherwise a message could not be sent, as it is about to end.
      if (child.pid === undefined) resolve({ code: null, signal: error.code ?? error.message });
    });
  });
  return {
    pid: child.pid ?? 0,
    ask: channelTo(processMessages(child), answers),
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
}
