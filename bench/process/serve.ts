import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tied } from './tied.ts';

/** The built program, seen from `dist/bench/process`. */
const COMMAND = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url));

/** A service as people start it. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
  /** May be called more than once. */
  readonly end: () => Promise<void>;
}

/** Starts `espalier serve` on any free port. It ends with the bench. */
export async function serving(...args: readonly string[]): Promise<Serving> {
  const all = [COMMAND, 'serve', ...args, '--port', '0', '--json', '--log-level', 'silent'];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = tied(child);
  const url = await told(child.stdout, ended);
  return {
    pid: child.pid!,
    url,
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The URL that the service says it listens on. */
async function told(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  let text = '';
  const listening = new Promise<string>((resolve) => {
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /"url": ?"([^"]+)"/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const gone = ended.then(() => {
    throw new Error('The service ended before it listened.');
  });
  return Promise.race([listening, gone]);
}
