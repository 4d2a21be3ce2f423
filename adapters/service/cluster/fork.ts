import cluster from 'node:cluster';
import { channelTo, type Answers, type Ask } from './channel.ts';
import { processMessages } from './messages.ts';

/** A worker as the process that started it sees it. */
export interface Fork {
  readonly pid: number;
  readonly ask: Ask;
  readonly ended: Promise<End>;
  /** Ends it at once, whatever it is doing. */
  readonly kill: () => void;
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Starts this program once more, as a worker. It is given the listening handle when it listens, and accepts connections
 * by itself: none is handed over, so none is lost on the way (docs/decisions/0010-workers.md).
 */
export function fork(answers: Answers): Fork {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: ['worker'] });
  const worker = cluster.fork();
  const child = worker.process;
  const ended = new Promise<End>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      // Either it could not be started, or it is about to end and something could not be sent to it.
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
