import { GLOBAL } from '../config/global-options.ts';
import { attributeName } from '../option.ts';
import type { Verb } from '../verb.ts';

/** A parsed, incomplete command line. */
export interface CommandLine {
  /** Neither options nor their values. */
  readonly plain: readonly string[];
  /** Values of options, by name as in `call.options`. */
  readonly options: ReadonlyMap<string, string>;
  /** The flags of the option whose value comes next: `-b, --board <board>`. */
  readonly open: string | null;
}

const LONG = /--[\w-]+/;

/** The long flag of an option, such as `--end-from`. */
export function longOf(flags: string): string {
  return LONG.exec(flags)![0];
}

/** The flags of all options of a verb, including global ones. */
export function flagsFor(verb: Verb | undefined): readonly { readonly flags: string; readonly summary: string }[] {
  const own = (verb?.options ?? []).map(({ flags, summary }) => ({ flags, summary }));
  return [...own, ...GLOBAL.map(({ flags, description }) => ({ flags, summary: description }))];
}

/** A word of a shell without its quotes, of which one may still be open. */
export function unquoted(word: string): string {
  return word.replace(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|\\([\s\S]?)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? '',
  );
}

export function parseWords(words: readonly string[], verb?: Verb): CommandLine {
  const valued = flagsFor(verb).filter(({ flags }) => flags.includes('<'));
  const named = (word: string) => valued.find(({ flags }) => flags.split(/[ ,]+/).includes(word))?.flags;
  const plain: string[] = [];
  const options = new Map<string, string>();
  let open: string | null = null;
  for (const word of words) {
    const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (open !== null) {
      options.set(attributeName(open), word);
      open = null;
    } else if (name !== undefined) {
      const flags = named(name);
      if (flags !== undefined) options.set(attributeName(flags), value!);
    } else if (word.startsWith('-')) open = named(word) ?? null;
    else plain.push(word);
  }
  return { plain, options, open };
}
