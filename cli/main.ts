#!/usr/bin/env node
import type { ProcessIo } from './io/io.ts';
import { version } from './version.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const { run } = await import('./program.ts');
  return run(args, nodeIo());
}

function nodeIo(): ProcessIo {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The first signal asks for an orderly end; the second ends at once.
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
  }
  // The reader of the output may close the pipe, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`espalier: The standard output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  // A log that cannot be written, such as on a full disk, is ignored.
  process.stderr.on('error', () => {});
  const { stdout, stderr, stdin, env } = process;
  return { stdout, stderr, stdin, env, cwd: process.cwd(), stop: stop.signal };
}

// No top-level await: the bundle is CommonJS.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // An interrupted command may have left pending work that would keep the process alive.
  if (code === 130) process.exit();
});
