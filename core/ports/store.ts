import type { ChangeLog, ChangeLogReads } from './change-log.ts';
import type { Collection, CollectionReads } from './collection.ts';
import type { CollectionName } from '../model/collections.ts';
import type { KeepChanges } from '../model/log/kept-changes.ts';
import type { IdempotencyRecord } from '../model/log/idempotency-record.ts';
import type { ServiceSettings } from '../model/service/service-settings.ts';
import type { StructureReads, StructureRepository } from './structures.ts';
import type { TaskReads, TaskRepository } from './tasks.ts';

/** The port to storage. Records are plain, JSON-safe and readonly. What a store returns must not be modified. */
export interface Store {
  /**
   * Runs `work` on one consistent snapshot that includes all acknowledged writes. `work` may be restarted, so it must
   * have no effect outside of the transaction.
   *
   * @throws `store-unavailable` if the store cannot be reached
   */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work` atomically: if it throws, nothing is written. Writes are serialisable. Returns when the effects are as
   * durable as the store promises. `work` may be retried and must await nothing but `tx`; it sees its own writes. Each run
   * has the asynchronous context of the call, which guards of the host may read.
   *
   * @throws whatever `work` throws, untouched
   * @throws `store-busy` if conflicts persist beyond the store's retry limit
   * @throws `store-unavailable` if the store cannot be reached
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** What is kept of change logs unless set otherwise. Absent: the default of all stores. */
  readonly keepChanges?: KeepChanges;

  /** Resolves if the store can serve. @throws `store-unavailable` */
  ready(): Promise<void>;

  /** Waits for running calls and releases all resources. Idempotent. */
  close(): Promise<void>;
}

type ReadCollections = { readonly [Name in CollectionName]: CollectionReads<Name> };
/** Workspaces are written with their structure. */
type WriteCollections = { readonly [Name in Exclude<CollectionName, 'workspaces'>]: Collection<Name> };

/**
 * A read transaction: one consistent snapshot. To replace parts of it use `withParts`; spreading would lose the
 * collections.
 */
export interface ReadTransaction extends ReadCollections {
  /** Workspaces with their members and pages. */
  readonly structures: StructureReads;
  /** Tasks, their counts and places in columns. */
  readonly tasks: TaskReads;
  /** What was written in each workspace, in the order of commits. */
  readonly changeLog: ChangeLogReads;
  /** When members were last active and tokens last used. */
  readonly activity: ActivityReads;
  /** The answers that are kept for idempotency keys. */
  readonly idempotency: IdempotencyReads;
  /** The settings of the service. */
  readonly settings: SettingsReads;
  /** Absent: the database keeps its indexes itself. */
  readonly indexes?: IndexReads;
}

/** A write transaction; it sees its own writes. */
export interface Transaction extends WriteCollections {
  /** Workspaces; they are written through `structures`. */
  readonly workspaces: CollectionReads<'workspaces'>;
  /** Workspaces with their members and pages. */
  readonly structures: StructureRepository;
  /** Tasks, their counts and places in columns. */
  readonly tasks: TaskRepository;
  /** What was written in each workspace, in the order of commits. */
  readonly changeLog: ChangeLog;
  /** When members were last active and tokens last used. */
  readonly activity: ActivityRepository;
  /** The answers that are kept for idempotency keys. */
  readonly idempotency: IdempotencyRepository;
  /** The settings of the service. */
  readonly settings: SettingsRepository;
  /** Absent: the database keeps its indexes itself. */
  readonly indexes?: IndexReads;
}

/** When members were last active and tokens last used, as a transaction reads it. */
export interface ActivityReads {
  /** The last times, ISO 8601, by the ids of members and tokens. Those of which none is known are absent. */
  of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** When members were last active and tokens last used. Not versioned; not part of the structure. */
export interface ActivityRepository extends ActivityReads {
  /** Stores the later of the present value and `at`. `subject` is a member's or token's id. */
  touch(subject: string, at: string): Promise<void>;
}

/** Idempotency records by key, as a transaction reads them. */
export interface IdempotencyReads {
  /** The record of a key; null if there is none. It may have expired. */
  get(key: string): Promise<IdempotencyRecord | null>;
}

/** Idempotency records by key. An expired one may be removed at any time. */
export interface IdempotencyRepository extends IdempotencyReads {
  /** Inserts a record, or replaces the one with the same key. */
  put(record: IdempotencyRecord): Promise<void>;
  /** Removes up to `limit` records that expired before `now`, oldest first. */
  removeExpired(now: string, limit: number): Promise<void>;
}

/** For a store that keeps indexes itself, beside the records. */
export interface IndexReads {
  /** Compares all records with the index entries that lead to them, and entries with their records. O(store), in steps. */
  check(): Promise<readonly IndexFault[]>;
}

/** An index entry that is missing or leads to no such record. */
export interface IndexFault {
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  /** Of the record; of the workspace for an entry that leads to none. */
  readonly id: string;
  /** What is wrong, for people. */
  readonly detail: string;
}

/** The settings record, as a transaction reads it. */
export interface SettingsReads {
  /**
   * Null if none were ever set. Settings may be up to five seconds old.
   *
   * @param options.latest as they are now: to show them, or to write them with a change
   */
  get(options?: { readonly latest?: boolean }): Promise<ServiceSettings | null>;
}

/** The settings record, which applies to every process on the store. */
export interface SettingsRepository extends SettingsReads {
  /** Replaces all settings. */
  put(settings: ServiceSettings): Promise<void>;
}
