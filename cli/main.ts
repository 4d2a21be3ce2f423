#!/usr/bin/env node
import type { ProcessIo } from './io/io.ts';
import { version } from './version.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const { run } = await import('./program.ts');
  return run(args, nodeIo());
}

function nodeIo(): ProcessIo {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The first asks to end in order; a second one does not wait.
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
  }
  // Whoever reads our output may stop reading, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`espalier: The standard output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  // A log that cannot be written, for want of room say, stops nothing.
  process.stderr.on('error', () => {});
  const { stdout, stderr, stdin, env } = process;
  return { stdout, stderr, stdin, env, cwd: process.cwd(), stop: stop.signal };
}

// Without await at the top: the bundle is CommonJS.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // An interrupted command may still be at work on something that nobody waits for any more.
  if (code === 130) process.exit();
});
