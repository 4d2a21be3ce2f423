import { inList } from '../listed.ts';
import { FILTER_OPTIONS } from '../task/filters.ts';
import { nameIn } from '../task/where.ts';
import { starting, valuesOf, type CompletionContext, type Candidate } from './values.ts';

/** Candidates for the value of `--where`: the filters of `task list`, then the last value of one. */
export async function filterCandidates(at: CompletionContext): Promise<readonly Candidate[]> {
  const { typed } = at;
  const equals = typed.indexOf('=');
  if (equals < 0) {
    const names = FILTER_OPTIONS.map(({ flags, summary }) => {
      return { text: `${nameIn(flags)}${flags.includes('<') ? '=' : ''}`, about: summary };
    });
    return starting(typed, names);
  }
  const filter = FILTER_OPTIONS.find(({ flags }) => nameIn(flags) === typed.slice(0, equals));
  const kind = /<(\w+)>/.exec(filter?.flags ?? '')?.[1];
  if (kind === undefined) return [];
  const from = Math.max(equals, filter?.many === true ? typed.lastIndexOf(',') : 0) + 1;
  const value = typed.slice(from);
  const found = starting(value, await valuesOf(kind, { ...at, typed: value }));
  const inValue = filter?.many === true ? inList : (text: string) => text;
  return found.map((one) => ({ ...one, text: typed.slice(0, from) + inValue(one.text) }));
}
