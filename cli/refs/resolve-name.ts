import { isId } from '../../core/kernel/id.ts';
import { missing, usage, type Failure } from '../io/failure.ts';
import { shellWord } from '../io/shell-word.ts';
import { nearest } from './near.ts';

/** A record that can be named: its id and names. */
export interface NamedRecord {
  readonly id: string;
  readonly names: readonly string[];
  /** Distinguishes it from others of the same name. */
  readonly shown: string;
}

/**
 * Resolves a reference to an id: by id, by exact name, or by name ignoring case.
 *
 * @param kind for messages: `board`, `status` ...
 * @param where for messages: where the name was looked up
 * @param remedy for messages: what to do if there is none
 * @throws a failure with suggestions if there is none or more than one
 */
export function resolveName(
  kind: string,
  ref: string,
  things: readonly NamedRecord[],
  where = 'here',
  remedy?: string,
): string {
  const wanted = fold(ref);
  const byId = things.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId.id;
  const found = allNamed(ref, things);
  if (found.length === 1) return found[0]!.id;
  if (found.length > 1) throw ambiguous(kind, ref, found, things);
  throw noSuchName(kind, ref, things, where, remedy);
}

/** All matches by id, by exact name, or by name ignoring case; may be empty. */
export function allNamed<T extends NamedRecord>(ref: string, things: readonly T[]): readonly T[] {
  const wanted = fold(ref);
  const name = ref.trim();
  const exact = things.filter(({ id, names }) => id === wanted || names.includes(name));
  return exact.length > 0 ? exact : things.filter(({ names }) => names.some((name) => fold(name) === wanted));
}

/** The names of records that lead to one of them alone, by id; in the order of their own names. */
export function distinctNames(things: readonly NamedRecord[]): ReadonlyMap<string, readonly string[]> {
  const times = new Map<string, number>();
  for (const { names } of things) for (const name of new Set(names)) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(things.map(({ id, names }) => [id, names.filter((name) => times.get(name) === 1 && !isId(name))]));
}

/** @param things all candidates, of which a name may lead to one alone */
export function ambiguous(
  kind: string,
  ref: string,
  found: readonly NamedRecord[],
  things: readonly NamedRecord[],
  how = 'use one of these',
): Failure {
  const distinct = distinctNames(things);
  const named = found.map((thing) => ({ ...thing, id: shellWord(distinct.get(thing.id)?.[0] ?? thing.id) }));
  return usage(`More than one ${kind} is called ${JSON.stringify(ref)}: ${how}.`, ...shown(named));
}

/** @param things all candidates, for suggestions */
export function noSuchName(
  kind: string,
  ref: string,
  things: readonly NamedRecord[],
  where = 'here',
  remedy?: string,
): Failure {
  const wanted = fold(ref);
  const within = things.filter(({ names }) => names.some((name) => fold(name).includes(wanted)));
  const near = within.length > 0 ? within : nearTo(ref, things);
  return missing(
    `There is no ${kind} ${JSON.stringify(ref)} ${where}, or you cannot see it.`,
    ...(near.length === 0 ? [] : ['Did you mean:', ...shown(near)]),
    ...(near.some(({ names }) => names.some((name) => fold(name).startsWith(`${wanted},`))) ? [WITH_COMMA] : []),
    ...(remedy === undefined ? [] : [remedy]),
  );
}

const WITH_COMMA = `In a list, put double quotes around a name with a comma: '"one, two",three'`;

function nearTo(ref: string, things: readonly NamedRecord[]): readonly NamedRecord[] {
  const words = nearest(ref, [...new Set(things.flatMap(({ names }) => names))]);
  return [...new Set(words.flatMap((word) => things.filter(({ names }) => names.includes(word))))];
}

const MAX_SUGGESTIONS = 8;

function shown(things: readonly NamedRecord[]): string[] {
  const lines = things.slice(0, MAX_SUGGESTIONS).map(({ id, shown: text }) => `${id}  ${text}`);
  return things.length > MAX_SUGGESTIONS ? [...lines, `and ${things.length - MAX_SUGGESTIONS} more`] : lines;
}

/** The form in which names are compared. Stored names have no spaces around them. */
export function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
