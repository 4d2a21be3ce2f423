import { invalid } from './errors.ts';

/**
 * Tells one list from another by a short key: what is listed, and which of it. A cursor carries the key of its list, so
 * that it cannot be used with another. The order of fields does not matter, and neither does that of values in a field.
 *
 * @param of strings, numbers, booleans and lists of them; `undefined` is the same as absent
 */
export function listKey(what: string, of: object = {}): string {
  const fields = Object.entries(of).filter(([, value]) => value !== undefined);
  const sorted = fields.map(([name, value]) => [name, Array.isArray(value) ? value.map(String).sort() : value]);
  return hashOf(JSON.stringify([what, ...sorted.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))]));
}

/** @param position where a part of the list ended */
export function cursorIn(list: string, position: string): string {
  return `${list}.${position}`;
}

/** The position in a cursor; null without one. @throws `invalid-input` for a cursor of another list */
export function positionIn(list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  if (!cursor.startsWith(`${list}.`)) throw invalid('/cursor', 'is not a cursor of this list');
  return cursor.slice(list.length + 1);
}

/** FNV-1a of 32 bits. It tells lists apart that are confused by mistake, and keeps nobody out. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
