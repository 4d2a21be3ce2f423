import { invalid } from './errors.ts';

/**
 * A short key that identifies a list by what it lists and its filters. A cursor carries the key of its list, so it
 * cannot be used with another. The order of fields, and of values in a field, does not matter.
 *
 * @param of filters: strings, numbers, booleans and lists of them; `undefined` is the same as absent
 * @param except names of fields that are no filters
 */
export function listKey(what: string, of: object = {}, except: readonly string[] = []): string {
  const given = of as Readonly<Record<string, unknown>>;
  const names = Object.keys(given).filter((name) => given[name] !== undefined && !except.includes(name));
  const fields = names.sort().map((name) => {
    const value = given[name];
    return [name, Array.isArray(value) ? value.map(String).sort() : value];
  });
  return hashOf(JSON.stringify([what, ...fields]));
}

/** @param position where a slice of the list ended */
export function cursorIn(list: string, position: string): string {
  return `${list}.${position}`;
}

/** The position in a cursor; null without a cursor. @throws `invalid-input` for a cursor of another list */
export function positionIn(list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  if (!cursor.startsWith(`${list}.`)) throw invalid('/cursor', 'is not a cursor of this list');
  return cursor.slice(list.length + 1);
}

/** FNV-1a, 32 bits. It detects cursors used with a wrong list by mistake; it is no protection. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
