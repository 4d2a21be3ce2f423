import type { Level } from './level.ts';

/**
 * A level set on a page for one member, with the number of the membership it was set for. An entry of the present
 * membership replaces the inherited level; one of an earlier membership is a cap, which can only lower it.
 */
export interface PageEntry {
  readonly level: Level;
  /** From 1, see {@link Member.membership}. */
  readonly membership: number;
}

/** By member id. */
export type PageEntries = Readonly<Record<string, PageEntry>>;

/** An entry in a store or an export: one of the first membership is its level alone. */
export type StoredEntry = Level | PageEntry;

export type StoredEntries = Readonly<Record<string, StoredEntry>>;

/** Equal entries are interned, so that 100,000 on a page take no more memory than as many numbers. */
const shared = new Map<number, PageEntry>();
const MAX_SHARED = 1_000;

export function pageEntry(level: Level, membership: number): PageEntry {
  // Levels are below 1,000, so each pair has its own key.
  const key = membership * 1_000 + level;
  const known = shared.get(key);
  if (known !== undefined) return known;
  const entry = Object.freeze({ level, membership });
  if (shared.size < MAX_SHARED) shared.set(key, entry);
  return entry;
}

/** O(entries). */
export function entriesFrom(stored: StoredEntries): PageEntries {
  return Object.fromEntries(Object.entries(stored).map(([memberId, entry]) => [memberId, entryFrom(entry)]));
}

export function entryFrom(stored: StoredEntry): PageEntry {
  return typeof stored === 'number' ? pageEntry(stored, 1) : pageEntry(stored.level, stored.membership);
}

/** O(entries). */
export function storedEntries(entries: PageEntries): StoredEntries {
  const stored = (entry: PageEntry): StoredEntry => (entry.membership === 1 ? entry.level : entry);
  return Object.fromEntries(Object.entries(entries).map(([memberId, entry]) => [memberId, stored(entry)]));
}
