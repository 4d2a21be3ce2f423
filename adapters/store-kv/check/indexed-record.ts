import type { KvEntry, KvValue } from '../engine/kv.ts';
import type { Scope } from '../records/layout.ts';

/** A record with all the entries that a store has of it: its own and those of indexes. */
export interface IndexedRecord {
  readonly id: string;
  readonly workspaceId: string | null;
  /** By key. */
  readonly entries: ReadonlyMap<string, KvValue>;
}

/** An index of records of one kind. */
export interface IndexOf {
  readonly name: string;
  /** What follows the prefix in a key. */
  readonly scope: Scope;
  /** Jobs add and remove entries, so that it may have others than those of the records. */
  readonly isPartial?: true;
}

/** How records of one kind are stored. */
export interface IndexedKind {
  /** The prefix of records. */
  readonly records: string;
  /** By the prefix of its entries. */
  readonly indexes: ReadonlyMap<string, IndexOf>;
  /** The record that is the value of an entry. */
  stored(entry: KvEntry): IndexedRecord;
  /** The record that an index entry leads to; undefined: there is none. */
  indexed(entry: KvEntry, prefix: string): IndexedRecord | undefined;
  /** Whether a job is to remove the entry, whatever it leads to. */
  isBeingCleared?(entry: KvEntry, prefix: string): boolean;
}
