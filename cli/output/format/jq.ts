import { EXIT_OF_SIGNAL } from '../../io/exit-codes.ts';
import { Failure, usage } from '../../io/failure.ts';
import { multiLine, type SafeText } from '../../io/safe-text.ts';

const SIGNALS = Object.keys(EXIT_OF_SIGNAL) as (keyof typeof EXIT_OF_SIGNAL)[];

/** The exit code of jq for an invalid query. */
const NOT_COMPILED = 3;

/**
 * Formats values for `--jq`: each result on its own line, strings raw but without control characters, everything else
 * as JSON. Runs jq itself, without access to files or the environment.
 *
 * @throws a usage failure for an invalid query, before the command runs
 */
export async function jqFormatter(query: string): Promise<(value: unknown) => SafeText> {
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  // Compiles the query without running it.
  const { exitCode, stderr } = jq.raw(null, `empty | (${query}\n)`);
  if (exitCode === NOT_COMPILED) throw usage(`--jq is not a valid jq query: ${messageIn(stderr)}`);
  return (value) => {
    letSignalsEndIt();
    const ran = rawOrOutOfMemory(() => jq.raw(value as object, query, ['--raw-output', '--compact-output']));
    if (ran.exitCode !== 0) throw new Failure('failed', `jq: ${messageIn(ran.stderr)}`);
    return multiLine(ran.stdout === '' ? '' : `${ran.stdout.replace(/\n$/, '')}\n`);
  };
}

/**
 * Until the event loop goes on, a signal ends the process itself: a query may never end, and no listener is called while
 * it runs.
 */
function letSignalsEndIt(): void {
  for (const signal of SIGNALS) {
    const listeners = process.listeners(signal);
    if (listeners.length === 0) continue;
    process.removeAllListeners(signal);
    setImmediate(() => {
      for (const listener of listeners) process.on(signal, listener);
    });
  }
}

/** jq gives up in the middle where it gets no more memory. */
function rawOrOutOfMemory<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const hint = 'With --jsonl, --jq filters one record at a time.';
    throw new Failure('failed', 'jq ran out of memory.', [hint], { cause });
  }
}

/** Removes positions, which do not match those of the typed query. */
function messageIn(stderr: string): string {
  const [first = ''] = stderr.split('\n');
  return first.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, '');
}
