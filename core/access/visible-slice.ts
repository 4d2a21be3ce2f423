import { invalid } from '../kernel/errors.ts';
import { cursorIn, positionIn } from '../kernel/list-cursor.ts';
import type { Slice } from '../kernel/record.ts';

/** A position in a list in the order of time: after one record or, where `id` is null, after all records of that time. */
export interface TimePosition {
  readonly time: string;
  readonly id: string | null;
}

/** A list in the order of time, of which a viewer may see some records. */
export interface ListInTime<T> {
  /** Identifies it in cursors. */
  readonly key: string;
  /** Reads what follows a position; null: the start. */
  readonly read: (after: TimePosition | null, limit: number) => Promise<readonly T[]>;
  /** Text. Records of the same time follow each other. */
  readonly timeOf: (record: T) => string;
  /** Returns for each record whether the viewer may see it. */
  readonly areVisible: (records: readonly T[]) => Promise<readonly boolean[]>;
  /** The most records that one call checks, not counting further ones with the time of the last. */
  readonly most: number;
}

/** The least number of records that are read at once after hidden ones. */
const READ_ON = 100;

/**
 * A slice of what the viewer may see. If many records are hidden it may hold fewer than its limit, even none, and still
 * have a `next`. A cursor never names a hidden record, only the time after which the next slice begins. O(limit +
 * `most`).
 *
 * @throws `invalid-input` for a cursor of another list
 */
export async function visibleSlice<T extends { readonly id: string }>(
  { key, read, timeOf, areVisible, most }: ListInTime<T>,
  cursor: string | undefined,
  limit: number,
): Promise<Slice<T>> {
  const items: T[] = [];
  const nextAfter = (position: TimePosition): Slice<T> => ({ items, next: cursorIn(key, textOf(position)) });
  let after = positionAt(positionIn(key, cursor));
  let checked = 0;
  for (let asked = limit + 1; ; asked = Math.max(limit + 1, READ_ON)) {
    const some = await read(after, asked);
    const visible = await areVisible(some);
    for (const [n, record] of some.entries()) {
      const time = timeOf(record);
      if (checked >= most && time !== after?.time) return nextAfter({ time: after!.time, id: null });
      checked += 1;
      after = { time, id: record.id };
      if (visible[n] !== true) continue;
      if (items.length === limit) return nextAfter({ time: timeOf(items.at(-1)!), id: items.at(-1)!.id });
      items.push(record);
    }
    if (some.length < asked) return { items, next: null };
  }
}

function textOf({ time, id }: TimePosition): string {
  return id === null || id === time ? time : `${time} ${id}`;
}

/** A time, then an id. */
const POSITION = /^(?<time>[\w:.-]+)(?: (?<id>[\w-]+))?$/;

function positionAt(position: string | null): TimePosition | null {
  if (position === null) return null;
  const { time, id = null } = POSITION.exec(position)?.groups ?? {};
  if (time === undefined) throw invalid('/cursor', 'is not a cursor of this list');
  return { time, id };
}
