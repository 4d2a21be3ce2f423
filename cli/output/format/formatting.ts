import { usage } from '../../io/failure.ts';
import type { SafeText } from '../../io/safe-text.ts';

/** Formats a value instead of JSON. */
export type Formatter = (value: unknown) => SafeText;

/** The formatting of `--jq` and `--template`. */
export interface Formatting {
  readonly format: Formatter;
  /** Whether each record of a list is formatted by itself, not the list as one value. */
  readonly each: boolean;
}

/** @throws a usage failure for an invalid query or template, before the command runs */
export async function formattingOf(given: {
  readonly jq?: string | undefined;
  readonly template?: string | undefined;
  readonly jsonl?: boolean | undefined;
}): Promise<Formatting | undefined> {
  const { jq, template } = given;
  if (jq !== undefined && template !== undefined) throw usage('--jq and --template do not go together.');
  if (jq !== undefined) {
    const { jqFormatter } = await import('./jq.ts');
    return { format: await jqFormatter(jq), each: given.jsonl === true };
  }
  if (template === undefined) return undefined;
  const { templateFormatter } = await import('./template.ts');
  return { format: await templateFormatter(template), each: true };
}
