import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Commands } from './worker.ts';

/** A process of the bench that answers requests. */
export interface Fork<C extends Commands> {
  readonly pid: number;
  call<N extends keyof C & string>(name: N, ...input: Parameters<C[N]>): Promise<Awaited<ReturnType<C[N]>>>;
  /** May be called more than once. */
  end(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** @param file the worker, as seen from the caller; @param execArgv options of node */
export function forkWorker<C extends Commands>(file: string, from: string, execArgv: readonly string[] = []): Fork<C> {
  const child = fork(fileURLToPath(new URL(file, from)), { execArgv: [...execArgv], stdio: ['ignore', 2, 2, 'ipc'] });
  running.add(child);
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once('exit', (code, signal) => {
    running.delete(child);
    for (const [id, tell] of waiting) tell({ id, error: `The worker ${file} ended: ${signal ?? code}.` });
    waiting.clear();
  });
  let last = 0;
  return {
    pid: child.pid ?? 0,
    call: (name, input?: unknown) =>
      new Promise((resolve, reject) => {
        const id = (last += 1);
        waiting.set(id, ({ output, error }) => {
          if (error === undefined) resolve(output as never);
          else reject(new Error(error));
        });
        child.send({ id, name, input }, (error) => {
          if (error !== null) waiting.get(id)?.({ id, error: error.message });
        });
      }),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Processes that still run end with the bench. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
