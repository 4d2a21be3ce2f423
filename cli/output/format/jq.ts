import { EXIT_OF_SIGNAL } from '../../io/exit-codes.ts';
import { Failure, usage } from '../../io/failure.ts';
import { multiLine, type SafeText } from '../../io/safe-text.ts';
import { silently } from '../../io/silently.ts';
import type { Formatter } from './formatter.ts';

const SIGNALS = Object.keys(EXIT_OF_SIGNAL) as (keyof typeof EXIT_OF_SIGNAL)[];

/** The exit code of jq for an invalid query. */
const NOT_COMPILED = 3;

/** The most records in one run of jq, as starting a run costs much more than a record. */
const MAX_BATCH = 256;

/** Functions by which a query could read later records than its own, or end the run. */
const BEYOND_ITS_RECORD = /\b(?:input|halt)/;

/**
 * Surrounds each result, whose spaces and line breaks at the ends would otherwise be trimmed. It occurs in no output.
 */
const MARK = '\u001e';
const MARKED = `${JSON.stringify(MARK)} + (if type == "string" then . else tojson end) + ${JSON.stringify(MARK)}`;

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Formats values for `--jq`: each result on its own line, strings raw but without control characters, everything else
 * as JSON. Runs jq itself, without access to files or the environment.
 *
 * @throws a usage failure for an invalid query, before the command runs
 */
export async function jqFormatter(given: string): Promise<Formatter> {
  // As in jq, an empty query changes nothing, and nor does a comment.
  const query = given.replace(/#.*/g, '').trim() === '' ? '.' : given;
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  // Compiles the query without running it.
  const { exitCode, stderr } = jq.raw(null, `empty | (${query}\n)`);
  if (exitCode === NOT_COMPILED) throw usage(`--jq is not a valid jq query: ${messageIn(stderr)}`);
  // When it is aborted, its runtime prints that to the console; messages of jq itself are in the result.
  const run = (inputs: readonly string[]) =>
    silently(() => jq.raw(inputs.join('\n'), `(${query}\n) | ${MARKED}`, ['--raw-output']));
  const seesOthers = BEYOND_ITS_RECORD.test(query);
  // Batches grow, so that the first results do not wait for others.
  let size = 1;
  return function* (values) {
    letSignalsEndIt();
    const left = values.map((value) => JSON.stringify(value));
    while (left.length > 0) {
      const inputs = left.splice(0, size);
      if (!seesOthers) size = Math.min(size * 2, MAX_BATCH);
      const together = inputs.length === 1 ? undefined : unlessFailed(() => run(inputs));
      if (together !== undefined) yield resultsIn(together);
      else for (const input of inputs) yield resultsIn(rawOrOutOfMemory(() => run([input])));
    }
  };
}

/** @returns undefined if any of the records may have failed: the exit code is that of the last */
function unlessFailed(runTogether: () => Ran): Ran | undefined {
  try {
    const ran = runTogether();
    return ran.exitCode === 0 && ran.stderr === '' ? ran : undefined;
  } catch {
    return undefined;
  }
}

function resultsIn({ exitCode, stdout, stderr }: Ran): SafeText {
  if (exitCode !== 0) throw new Failure('failed', `jq: ${messageIn(stderr)}`);
  return multiLine(stdout === '' ? '' : `${stdout.replaceAll(MARK, '')}\n`);
}

/**
 * Lets signals end the process directly until the event loop runs again: a query may never end, and no listener is
 * called while it runs.
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

/** Runs jq, and reports when it has run out of memory, which ends it in the middle of its work. */
function rawOrOutOfMemory(run: () => Ran): Ran {
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
  return first.replace(/^jq: error(?: \([^)]*\))*: /, '').replace(/ at <top-level>.*$/, '');
}
