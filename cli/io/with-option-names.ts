import { EspalierError, type ErrorCode } from '../../core/kernel/errors.ts';
import type { ArgSpec, OptionSpec, Syntax } from '../option.ts';
import { EXIT_OF } from './exit-codes.ts';
import { Failure } from './failure.ts';

/** Errors whose detail says no more than that a field is wrong. */
const UNSPECIFIC: ReadonlySet<ErrorCode> = new Set(['invalid-input', 'unusable-reference']);

/** An error of the engine with its fields named as on the command line. @param syntax of the command */
export function withOptionNames(error: unknown, syntax: Syntax): unknown {
  if (!(error instanceof EspalierError)) return error;
  const names = namesIn(syntax);
  if (error.errors.length === 0) {
    const detail = withNames(error.detail, names);
    return detail === error.detail
      ? error
      : new Failure(EXIT_OF[error.code], `${detail} (${error.code})`, [], { cause: error });
  }
  const paths = error.errors.map(({ pointer, detail }) => ({ path: pathOf(pointer), detail }));
  // A command changes named tasks one at a time, and reports itself which one is refused.
  const errors = paths.filter(({ path }) => path[0] !== 'taskIds');
  // Fields in a file have the names that the engine uses.
  const isInFile = ([field = '', ...deeper]: readonly string[]) =>
    deeper.length > 0 && (field === 'tasks' || !names.has(field));
  if (errors.some(({ path }) => isInFile(path))) return error;
  const problems = errors.map(({ path: [field = ''], detail }) => {
    // A number is the number of a line in a file.
    const name = /^\d+$/.test(field) ? `Line ${field}` : field || 'The input';
    return `${names.get(field) ?? name} ${withNames(detail, names)}`;
  });
  const [only] = problems;
  const exit = EXIT_OF[error.code];
  return problems.length === 1 && UNSPECIFIC.has(error.code)
    ? new Failure(exit, `${only} (${error.code})`, [], { cause: error })
    : new Failure(exit, `${error.detail} (${error.code})`, problems, { cause: error });
}

/** The path of a field. The changes that options make to many tasks are in a field of their own, which is left out. */
function pathOf(pointer: string): readonly string[] {
  return pointer
    .replace(/^\/set(?=\/)/, '')
    .split('/')
    .slice(1);
}

/** The option or argument for each field of the engine's input. */
function namesIn({ options = [], args = [] }: Syntax): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const spec of args.toReversed())
    for (const field of fieldsOfArg(spec)) names.set(field, spec.spec.replace('...', ''));
  for (const spec of options.toReversed()) for (const field of fieldsOfOption(spec)) names.set(field, longOf(spec));
  return names;
}

function fieldsOfArg({ spec, field }: ArgSpec): readonly string[] {
  const name = /\w+/.exec(spec)![0];
  return field === undefined ? [name, `${name}Id`] : [field];
}

/**
 * The fields of an option: its `field`, or else derived from its name: `--board` is `boardId`, `--default-access` is
 * `defaultAccess`.
 */
function fieldsOfOption(spec: OptionSpec): readonly string[] {
  if (spec.field !== undefined) return [spec.field];
  const name = longOf(spec)
    .replace(/^--(?:no-)?/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return spec.many === true ? [name, `${name}s`, `${name}Id`] : [name, `${name}Id`];
}

function longOf({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)![0].replace(/^--no-/, '--');
}

/** Replaces names of fields in a detail, which may mention another field. */
function withNames(detail: string, names: ReadonlyMap<string, string>): string {
  return detail.replace(
    /\b[a-z]+(?:[A-Z][a-z]+)+\b|(?<=combined with )[a-z]+\b/g,
    (field) => names.get(field) ?? field,
  );
}
