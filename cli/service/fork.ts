import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import type { Failure } from '../io/failure.ts';
import { channelTo, type Answers, type Ask } from './channel.ts';

/** A worker as the process that started it sees it. */
export interface Fork {
  readonly pid: number;
  readonly ask: Ask;
  readonly ended: Promise<End>;
  /** At once, with whatever it does. */
  readonly kill: () => void;
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What a worker that cannot start says of it. */
export type Told = Pick<Failure, 'exit' | 'message' | 'hints'>;

/** Starts this program once more, as a worker. Connections are given to workers by turns. */
export function fork(answers: Answers): Fork {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ args: ['worker'] });
  const worker = cluster.fork();
  const child = worker.process;
  closeUndelivered(child);
  const ended = new Promise<End>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      // Either it could not be started, or it is about to end and something could not be sent to it.
      if (child.pid === undefined) resolve({ code: null, signal: error.code ?? error.message });
    });
  });
  return {
    pid: child.pid ?? 0,
    ask: channelTo(child, answers),
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Node gives a worker one connection at a time, and forgets the one that was on its way when the worker died: its
 * client would wait for ever.
 */
function closeUndelivered(child: ChildProcess): void {
  const send = child.send.bind(child) as (...all: unknown[]) => boolean;
  let last: { close?(): void } | null | undefined;
  let isGone = false;
  // Once it has arrived this does nothing.
  const hangUp = () => last?.close?.();
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (handle) last = handle;
    const isTaken = send(message, handle, ...rest);
    if (isGone) hangUp();
    return isTaken;
  };
  // Either may come first, or alone, and a connection behind it.
  for (const event of ['exit', 'disconnect']) {
    child.once(event, () => {
      isGone = true;
      hangUp();
    });
  }
}
