#!/usr/bin/env node
import { EXIT, EXIT_OF_SIGNAL } from './io/exit-codes.ts';
import { OutputEnded } from './io/output-ended.ts';
import { version } from './version.ts';

/** The oldest version, as in `engines` of the package. */
const OLDEST_NODE = '20.19';

const stop = new AbortController();

/** The exit code of an interrupted command. */
let interrupted: number = EXIT.interrupted;

async function main(args: readonly string[]): Promise<number> {
  handleSignals();
  handleOutputErrors();
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (isTooOld(process.versions.node)) {
    process.stderr.write(`espalier: Node ${OLDEST_NODE} or later is required; this is ${process.versions.node}.\n`);
    return 1;
  }
  const cwd = workingDirectory();
  if (cwd === null) {
    process.stderr.write('espalier: The working directory was removed: change to another one.\n');
    return 1;
  }
  const { run } = await import('./program.ts');
  const { stdout, stderr, stdin, env } = process;
  return run(args, { stdout, stderr, stdin, env, cwd, stop: stop.signal });
}

/** Whether the version of Node is too old: it would lack functions, and fail with a message that does not say so. */
function isTooOld(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldest = 0, since = 0] = OLDEST_NODE.split('.').map(Number);
  return major < oldest || (major === oldest && minor < since);
}

/** Null if it was removed. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function handleSignals(): void {
  for (const [signal, code] of Object.entries(EXIT_OF_SIGNAL)) {
    process.on(signal, () => {
      // The first signal asks for an orderly end; the second ends at once, unless a terminal that closes repeats SIGHUP.
      if (stop.signal.aborted && signal !== 'SIGHUP') process.exit(code);
      if (!stop.signal.aborted) interrupted = code;
      stop.abort();
    });
  }
}

function handleOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const ended = new OutputEnded(error);
    if (ended.exitCode !== 0) process.stderr.write(`espalier: ${ended.message}\n`);
    // The command may have ended already.
    process.exitCode = ended.exitCode;
    stop.abort(ended);
  });
  // A log that cannot be written, such as on a full disk, is ignored.
  process.stderr.on('error', () => {});
}

// No top-level await: the bundle is CommonJS.
void main(process.argv.slice(2)).then((code) => {
  const { reason } = stop.signal;
  const hasEnded = reason instanceof OutputEnded;
  const isInterrupted = code === EXIT.interrupted;
  process.exitCode = hasEnded ? reason.exitCode : isInterrupted ? interrupted : code;
  // A command that was stopped may have left pending work that would keep the process alive, even if stopping it was no
  // failure.
  if (isInterrupted || stop.signal.aborted) process.exit();
});
