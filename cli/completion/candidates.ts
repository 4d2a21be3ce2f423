import type { CommandCall } from '../call.ts';
import { namesOf, type Noun, type NounEntry, type Verb } from '../verb.ts';
import { inList } from '../listed.ts';
import { starting, valuesOf, type CompletionContext, type Candidate } from './values.ts';
import { nounIn } from '../config/global-options.ts';
import { flagsFor, longOf, parseWords } from './words.ts';

/** Candidates for the last word: nouns, verbs, options, and names from the store or service in use. */
export async function candidates(
  call: CommandCall,
  words: readonly string[],
  nouns: readonly NounEntry[],
): Promise<readonly Candidate[]> {
  const last = words.at(-1) ?? '';
  // `help task list` is about `task list`.
  const before =
    parseWords(words).plain[0] === 'help' ? words.slice(0, -1).filter((word) => word !== 'help') : words.slice(0, -1);
  const named = nounIn(before);
  const entry = nouns.find(({ name, hidden }) => hidden !== true && name === named);
  const noun = await entry?.load();
  const verb = noun === undefined ? undefined : verbIn(noun, before.slice(before.indexOf(noun.name) + 1));
  const line = parseWords(before, verb);
  const at = { call, line, verb, typed: last };
  if (line.open !== null) return valuesFor(line.open, at);
  const [, option, value] = /^(--[\w-]+)=(.*)$/s.exec(last) ?? [];
  if (option !== undefined) {
    const flags = flagsFor(verb).find((one) => one.flags.includes('<') && longOf(one.flags) === option)?.flags;
    const found = flags === undefined ? [] : await valuesFor(flags, { ...at, typed: value! });
    return found.map((one) => ({ ...one, text: `${option}=${one.text}` }));
  }
  if (last.startsWith('-')) {
    return starting(
      last,
      flagsFor(verb).map(({ flags, summary }) => ({ text: longOf(flags), about: summary })),
    );
  }
  if (noun === undefined) return line.plain.length > 0 ? [] : starting(last, nounsOf(nouns));
  if (verb === undefined)
    return starting(
      last,
      noun.verbs.map(({ name, summary }) => ({ text: name, about: summary })),
    );
  const position = line.plain.length - (verb.name === '' ? 1 : 2);
  const { spec } = verb.args?.[position] ?? lastOfSeveral(verb) ?? { spec: '' };
  const kind = /[<[](\w+)/.exec(spec)?.[1];
  return kind === undefined ? [] : starting(last, await valuesOf(kind, at));
}

/** By name or alias. */
function verbIn({ verbs }: Noun, behind: readonly string[]): Verb | undefined {
  const [first] = verbs;
  if (first!.name === '') return first;
  return verbs.find((verb) => namesOf(verb).some((name) => behind.includes(name)));
}

function lastOfSeveral({ args = [] }: Verb) {
  return args.some(({ spec }) => spec.includes('...')) ? args.at(-1) : undefined;
}

function nounsOf(nouns: readonly NounEntry[]): Candidate[] {
  return nouns.filter(({ hidden }) => !hidden).map(({ name, summary }) => ({ text: name, about: summary }));
}

/** Candidates for the value of an option: the last one of a list, or either side of `page=level`. */
async function valuesFor(flags: string, at: CompletionContext): Promise<readonly Candidate[]> {
  const spec = at.verb?.options?.find((one) => one.flags === flags);
  if (spec?.choices !== undefined)
    return starting(
      at.typed,
      spec.choices.map((text) => ({ text })),
    );
  const long = longOf(flags);
  const kind = long === '--fields' ? 'fields' : /<([\w=]+)>/.exec(flags)![1]!;
  if (kind === 'filter') {
    const { filterCandidates } = await import('./filters.ts');
    return filterCandidates(at);
  }
  const comma = spec?.many === true || long === '--fields' ? at.typed.lastIndexOf(',') + 1 : 0;
  const [done, typed] = [at.typed.slice(0, comma), at.typed.slice(comma)];
  const behind = (head: string, found: readonly Candidate[]) =>
    found.map((one) => ({ ...one, text: `${head}${one.text}` }));
  if (kind === 'page=level') {
    const split = typed.lastIndexOf('=') + 1;
    if (split > 0) {
      const levels = await valuesOf('level', at);
      return behind(done + typed.slice(0, split), starting(typed.slice(split), levels));
    }
    const pages = starting(typed, await valuesOf('page', { ...at, typed }));
    return behind(
      done,
      pages.map((one) => ({ ...one, text: `${one.text}=` })),
    );
  }
  const sign = kind === 'keys' && typed.startsWith('-') ? '-' : '';
  const found = starting(typed.slice(sign.length), await valuesOf(kind, { ...at, typed: typed.slice(sign.length) }));
  return behind(done + sign, spec?.many === true ? found.map((one) => ({ ...one, text: inList(one.text) })) : found);
}
