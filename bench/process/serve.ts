import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tied } from './tied.ts';

/** The built program, seen from `dist/bench/process`. */
const COMMAND = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url));

/** A service started by its command. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
  /** The token of its administrator, if the store is new. */
  readonly token: string | undefined;
  /** May be called more than once. */
  readonly end: () => Promise<void>;
}

/** Starts `espalier serve` on any free port. It ends with the bench. */
export async function serving(...args: readonly string[]): Promise<Serving> {
  const all = [COMMAND, 'serve', ...args, '--port', '0', '--json', '--log-level', 'silent'];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = tied(child);
  const { url, administrator } = await told(child.stdout, ended);
  return {
    pid: child.pid!,
    url,
    token: administrator?.token,
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

interface Told {
  readonly url: string;
  readonly administrator?: { readonly token?: string } | null;
}

/** The line that the service prints when it listens. */
async function told(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<Told> {
  let text = '';
  const listening = new Promise<Told>((resolve) => {
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/^[}]/m.test(text)) resolve(JSON.parse(text) as Told);
    });
  });
  const gone = ended.then(() => {
    throw new Error('The service ended before it listened.');
  });
  return Promise.race([listening, gone]);
}
