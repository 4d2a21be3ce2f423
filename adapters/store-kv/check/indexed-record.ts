import type { KvEntry, KvValue } from '../engine/kv.ts';
import type { KeyScope } from '../records/layout.ts';

/** A record with all its entries in the store: its own and those of indexes. */
export interface IndexedRecord {
  readonly id: string;
  readonly workspaceId: string | null;
  /** The entries by key. */
  readonly entries: ReadonlyMap<string, KvValue>;
}

/** An index of records of one kind. */
export interface CheckedIndex {
  readonly name: string;
  /** What follows the prefix in a key. */
  readonly scope: KeyScope;
  /** Jobs add and remove its entries, so it may differ from the records. */
  readonly isPartial?: true;
}

/** How records of one kind are stored. */
export interface IndexedKind {
  /** The prefix of records. */
  readonly records: string;
  /** The indexes by the prefix of their entries. */
  readonly indexes: ReadonlyMap<string, CheckedIndex>;
  /** The record that is the value of an entry. */
  stored(entry: KvEntry): IndexedRecord;
  /** The record that an index entry leads to; undefined: there is none. */
  indexed(entry: KvEntry, prefix: string): IndexedRecord | undefined;
  /** Whether a job is to remove the entry, whatever it leads to. */
  isBeingCleared?(entry: KvEntry, prefix: string): boolean;
}
