import { usage } from '../io/failure.ts';
import type { SafeText } from '../io/safe-text.ts';

/** What is printed in place of a JSON value. */
export type Shape = (value: unknown) => SafeText;

/** How `--jq` and `--template` have data printed. */
export interface Shaping {
  readonly shape: Shape;
  /** Each record of a list by itself; else the list as one value. */
  readonly each: boolean;
}

/** @throws a usage failure for what is no query or template, before anything is done */
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
