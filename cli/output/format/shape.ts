import { usage } from '../../io/failure.ts';
import type { SafeText } from '../../io/safe-text.ts';

/** Formats a value instead of JSON. */
export type Shape = (value: unknown) => SafeText;

/** The formatting of `--jq` and `--template`. */
export interface Shaping {
  readonly shape: Shape;
  /** Whether each record of a list is formatted by itself, not the list as one value. */
  readonly each: boolean;
}

/** @throws a usage failure for an invalid query or template, before the command runs */
export async function shapingOf(given: {
  readonly jq?: string | undefined;
  readonly template?: string | undefined;
  readonly jsonl?: boolean | undefined;
}): Promise<Shaping | undefined> {
  const { jq, template } = given;
  if (jq !== undefined && template !== undefined) throw usage('--jq and --template do not go together.');
  if (jq !== undefined) {
    const { jqShape } = await import('./jq.ts');
    return { shape: await jqShape(jq), each: given.jsonl === true };
  }
  if (template === undefined) return undefined;
  const { templateShape } = await import('./template.ts');
  return { shape: await templateShape(template), each: true };
}
