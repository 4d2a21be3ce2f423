import type { GlobalOptions } from '../../config/global-options.ts';
import { usage } from '../../io/failure.ts';
import type { Formatter } from './formatter.ts';

/** The formatting of `--jq` and `--template`. */
export interface Formatting {
  readonly format: Formatter;
  /** Whether each record of a list is formatted by itself, not the list as one value. */
  readonly each: boolean;
}

/** Options that select another form than `--csv`. */
const NOT_CSV = ['json', 'jsonl', 'fields', 'jq', 'template'] as const;

/**
 * @param known gives the fields of records, empty if they are not known
 * @throws a usage failure for an invalid query or template, and for two forms at once, before the command runs
 */
export async function formattingOf(
  given: GlobalOptions & { readonly csv?: true },
  known: () => Promise<readonly string[]>,
): Promise<Formatting | undefined> {
  const { jq, template } = given;
  if (given.json === true && given.jsonl === true) throw usage('--json and --jsonl cannot be combined.');
  const other = given.csv === true ? NOT_CSV.find((name) => given[name] !== undefined) : undefined;
  if (other !== undefined) throw usage(`--csv and --${other} cannot be combined.`);
  if (jq !== undefined && template !== undefined) throw usage('--jq and --template cannot be combined.');
  if (jq !== undefined) {
    const { jqFormatter } = await import('./jq.ts');
    return { format: await jqFormatter(jq), each: given.jsonl === true };
  }
  if (template === undefined) return undefined;
  const { templateFormatter } = await import('./template.ts');
  return { format: await templateFormatter(template, await known()), each: true };
}
