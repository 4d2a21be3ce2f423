import { EspalierError, invalid } from '../kernel/errors.ts';
import type { LogHead } from '../ports/change-log.ts';

/** A place in the change log of a workspace, and the revision of the structure at the time of the read. */
export interface ChangeCursor {
  /** The place of the last change that the reader knows. */
  readonly place: number;
  /** Of the structure. */
  readonly revision: number;
}

const CURSOR = /^([\w-]{0,12})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

/** A cursor discloses nothing: events carry the numbers of changes too. */
export function cursorText({ id }: Pick<LogHead, 'id'>, { place, revision }: ChangeCursor): string {
  return `${id}.${place.toString(36)}.${revision.toString(36)}`;
}

/**
 * @param revision of the current structure
 * @throws `invalid-input` for a malformed cursor
 * @throws `cursor-expired` for a cursor of another workspace or store, and where changes behind it are gone
 */
export function cursorFrom(text: string, head: LogHead, revision: number): ChangeCursor {
  const parts = CURSOR.exec(text);
  if (parts === null) throw invalid('/since', 'is not a cursor of changes');
  const cursor = { place: Number.parseInt(parts[2]!, 36), revision: Number.parseInt(parts[3]!, 36) };
  // A log has no id until its first change.
  const isOfLog = parts[1] === head.id || (parts[1] === '' && cursor.place === 0);
  const isKnown = isOfLog && cursor.place <= head.last && cursor.revision <= revision;
  if (!isKnown || cursor.place < head.floor) {
    throw new EspalierError(
      'cursor-expired',
      'The changes behind this cursor are not kept here: read everything anew.',
    );
  }
  return cursor;
}
