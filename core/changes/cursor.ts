import { EspalierError, invalid } from '../kernel/errors.ts';
import type { LogHead } from '../ports/change-log.ts';

/** An offset in the change log of a workspace, and the last revision of the structure that the reader knows. */
export interface ChangeCursor {
  /** The offset of the last change that the reader knows. */
  readonly offset: number;
  /** Of the structure. */
  readonly revision: number;
  /** Present while a reader catches up in several answers, if the structure has changed since the first of them. */
  readonly earlier?: EarlierRevision | null;
  /**
   * The answer before hid pages that this one shows again: those that tasks left in its changes, from after this offset
   * up to `offset`. Null: it hid none.
   */
  readonly shownFrom?: number | null;
}

/** The structure that a reader knew before the first answer of a catch-up. */
export interface EarlierRevision {
  readonly revision: number;
  /** The end of the log when the reader got a later structure: it read what became visible after this offset. */
  readonly until: number;
}

const NUMBER = '([0-9a-z]{1,11})';
/** `m`: in cursors of earlier commits, where the structure had changed more than once. */
const EARLIER = `(?:\\.[em]${NUMBER}\\.${NUMBER})?`;
const CURSOR = new RegExp(`^([\\w-]{0,12})\\.${NUMBER}\\.${NUMBER}${EARLIER}(?:\\.s${NUMBER})?$`);

/** A cursor discloses nothing: events carry the numbers of changes too. Nor is it signed, see `requireIssued`. At most 76 characters. */
export function cursorText({ id }: Pick<LogHead, 'id'>, cursor: ChangeCursor): string {
  const { offset, revision, earlier = null, shownFrom = null } = cursor;
  let text = `${id}.${offset.toString(36)}.${revision.toString(36)}`;
  if (earlier !== null) text += `.e${earlier.until.toString(36)}.${earlier.revision.toString(36)}`;
  return shownFrom === null ? text : `${text}.s${shownFrom.toString(36)}`;
}

/**
 * @param revision of the current structure
 * @throws `invalid-input` for a malformed cursor
 * @throws `cursor-expired` for a cursor of another workspace or store, and if changes after it are gone
 */
export function cursorFrom(text: string, head: LogHead, revision: number): Required<ChangeCursor> {
  const parts = CURSOR.exec(text);
  if (parts === null) throw invalid('/since', 'is not a cursor of changes');
  const [, id, offset, at, until, first, shownFrom] = parts;
  const cursor = {
    offset: numberOf(offset!),
    revision: numberOf(at!),
    earlier: until === undefined ? null : { until: numberOf(until), revision: numberOf(first!) },
    shownFrom: shownFrom === undefined ? null : numberOf(shownFrom),
  };
  // A log has no id until its first change.
  const isOfLog = id === head.id || (id === '' && cursor.offset === 0);
  const isKnown = isOfLog && cursor.offset <= head.last && cursor.revision <= revision;
  if (!isKnown || cursor.offset < head.floor) throw cursorExpired();
  return cursor;
}

export function cursorExpired(): EspalierError {
  return new EspalierError('cursor-expired', 'The changes after this cursor are not available: read everything again.');
}

function numberOf(digits: string): number {
  return Number.parseInt(digits, 36);
}
