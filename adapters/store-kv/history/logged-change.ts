import type { LoggedChange, NewChange, NewEntry } from '../../../core/model/log/change.ts';
import { compile, literal } from '../engine/compile.ts';

/** A stored change that is an entry of a history. */
export interface ChainedChange extends LoggedChange, NewEntry {
  /** The offset of the entry before it in that history; 0: it is the first. */
  readonly previous: number;
  /** The number of the entry in that history, from 1. */
  readonly number: number;
  /** The offset of an entry that is further back; only some entries have it, see store-kv/history/histories.ts. */
  readonly stride?: number;
}

export function isChained(change: LoggedChange): change is ChainedChange {
  return (change as Partial<ChainedChange>).previous !== undefined;
}

/** Whether the values of a field are UUIDs, which stores encode in few bytes. */
export type FieldKind = 'id' | 'value';

/** The fields of a stored change, in their order in the record: the stored layout and the functions below follow it. */
export const LOGGED_FIELDS = {
  seq: 'value',
  part: 'value',
  kind: 'value',
  action: 'value',
  recordId: 'id',
  version: 'value',
  pageId: 'id',
  fromPageId: 'id',
  boardId: 'id',
  fromBoardId: 'id',
  taskId: 'id',
  fields: 'value',
  userId: 'id',
  requestId: 'value',
  at: 'value',
  revision: 'value',
  fromRevision: 'value',
} as const satisfies Record<keyof LoggedChange, FieldKind>;

export const CHAINED_FIELDS = {
  ...LOGGED_FIELDS,
  verb: 'value',
  changes: 'value',
  previous: 'value',
  number: 'value',
} as const satisfies Record<Exclude<keyof ChainedChange, 'stride'>, FieldKind>;

const logged = Object.keys(LOGGED_FIELDS).map(
  (field) => [field, field === 'seq' || field === 'part' ? field : `change.${field}`] as const,
);

export const loggedAt = compile<(change: Omit<NewChange, 'entry'>, seq: number, part: number) => LoggedChange>(
  ['change', 'seq', 'part'],
  literal(logged),
);

export const chainedAt = compile<
  (change: NewChange, entry: NewEntry, seq: number, part: number, previous: number, number: number) => ChainedChange
>(
  ['change', 'entry', 'seq', 'part', 'previous', 'number'],
  literal([
    ...logged,
    ['verb', 'entry.verb'],
    ['changes', 'entry.changes'],
    ['previous', 'previous'],
    ['number', 'number'],
  ]),
);

/** The change as the feed has it. */
export function withoutEntry(change: LoggedChange): LoggedChange {
  return isChained(change) ? loggedAt(change, change.seq, change.part) : change;
}
