import type { Notes } from './notes.ts';

/** Well-formed Unicode without NUL, as the engine stores text. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** At most `longest` characters (code points), with an ellipsis where something is missing. */
export function cutTo(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const characters = Array.from(text);
  return characters.length <= longest
    ? text
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}

/** Text cut to its bound; a note says so. */
export function bounded(text: string, longest: number, notes: Notes, what: string, where: string): string {
  const cleaned = clean(text);
  const kept = cutTo(cleaned, longest);
  if (kept !== cleaned) notes.add(what, `longer than ${longest} characters: cut`, where);
  return kept;
}

/** A name: trimmed, on one line, within its bound, and never empty. */
export function boundedName(text: string, longest: number, fallback: string, notes: Notes, what: string): string {
  const name = clean(text).replace(/\s+/g, ' ').trim();
  if (name === '') notes.add(what, `without a name: called ${JSON.stringify(fallback)}`);
  return name === '' ? fallback : bounded(name, longest, notes, `${what} name`, cutTo(name, 60));
}

/**
 * Names made unique, in the order given, by a number appended to them.
 *
 * @param fold maps names that count as equal to one text
 */
export function uniqueNames(names: readonly string[], longest: number, fold: (name: string) => string): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; taken.has(fold(unique)); n++) {
      const suffix = ` (${n})`;
      unique = cutTo(name, longest - suffix.length) + suffix;
    }
    taken.add(fold(unique));
    return unique;
  });
}
