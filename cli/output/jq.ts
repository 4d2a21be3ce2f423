import { Failure, usage } from '../io/failure.ts';
import { multiLine, type SafeText } from '../io/safe-text.ts';

/** What jq exits with when it cannot read a query. */
const NOT_COMPILED = 3;

/**
 * What `--jq` prints of a value: each result on a line, strings as they are but for control characters, all else as
 * JSON. It is jq itself, which sees neither files nor the environment.
 *
 * @throws a usage failure for what is no query, before anything is done
 */
export async function jqShape(query: string): Promise<(value: unknown) => SafeText> {
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  // Compiled, and not run.
  const { exitCode, stderr } = jq.raw(null, `empty | (${query}\n)`);
  if (exitCode === NOT_COMPILED) throw usage(`--jq takes a query of jq: ${saidBy(stderr)}`);
  return (value) => {
    const ran = jq.raw(value as object, query, ['--raw-output', '--compact-output']);
    if (ran.exitCode !== 0) throw new Failure('failed', `jq: ${saidBy(ran.stderr)}`);
    return multiLine(ran.stdout === '' ? '' : `${ran.stdout.replace(/\n$/, '')}\n`);
  };
}

/** Without the places, which are not those in what was typed. */
function saidBy(stderr: string): string {
  const [first = ''] = stderr.split('\n');
  return first.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, '');
}
