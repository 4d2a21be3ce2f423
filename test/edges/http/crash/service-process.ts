import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./service.main.js', import.meta.url));

/** A service in a process of its own, which can be killed and comes back at another address. */
export interface KillableService {
  /** Where it runs. Waits for it to have started. */
  url(): Promise<string>;
  /** Kills it, wherever it is, and starts it again. */
  kill(): Promise<void>;
  /** Kills it for good. */
  end(): Promise<void>;
}

export function killableService(path: string): KillableService {
  let running = start(path);
  let restarting: Promise<void> | undefined;
  const end = async () => {
    running.child.kill('SIGKILL');
    await running.exited;
  };
  const restart = async () => {
    await end();
    running = start(path);
    restarting = undefined;
  };
  return {
    async url() {
      await restarting;
      return running.url;
    },
    kill() {
      restarting ??= restart();
      return restarting;
    },
    end,
  };
}

interface Running {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly url: Promise<string>;
  readonly exited: Promise<unknown>;
}

function start(path: string): Running {
  const child = spawn(process.execPath, [script(), path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const url = once(lines, 'line').then(([line]) => line as string);
  return { child, url, exited };
}
