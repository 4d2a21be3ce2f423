import { LRUCache } from 'lru-cache';
import type { ServiceSettings } from '../../core/model/service/service-settings.ts';
import type { Structure } from '../../core/model/workspace/structure.ts';
import type { DocumentCollection } from './connection/collections.ts';
import type { Doc, Query } from './query/query.ts';
import type { StructureState } from './query/documents.ts';
import type { ColumnPlaces } from './task/column-places.ts';

/** A value with the number that its document had when it was read. */
export interface VersionedValue<V> {
  readonly value: V;
  readonly version: number;
}

interface CacheEntry<V> {
  /** The newest last. */
  readonly versions: readonly VersionedValue<V>[];
  readonly weight: number;
}

export interface CacheBounds {
  /**
   * The most of all weights together. The least recently used entries are dropped first. One entry stays however heavy
   * it is.
   */
  readonly capacity: number;
  /** The number of versions that are kept of one value. Default 1. */
  readonly versions?: number;
  /** Milliseconds after which an entry that was not confirmed is dropped. Default: never. */
  readonly maxAge?: number;
}

/** The most entries of a cache, however little they weigh: each also takes some kilobytes for itself. */
const MAX_ENTRIES = 5_000;

/**
 * Values derived from committed documents. Each is valid while a certain document has the same number; the declaration
 * of the cache names the document and the number. So a value is used in one of two ways: the number was read by the
 * same transaction (`at`), or it is assumed, and the transaction only commits if it finds that number (`latest`).
 */
export class VersionedCache<V> {
  readonly #entries: LRUCache<string, CacheEntry<V>>;
  readonly #capacity: number;
  readonly #versions: number;

  constructor({ capacity, versions = 1, maxAge = 0 }: CacheBounds) {
    const least = Math.ceil(capacity / MAX_ENTRIES);
    const sizeCalculation = ({ weight }: CacheEntry<V>) => Math.max(least, weight);
    this.#entries = new LRUCache({ maxSize: capacity, sizeCalculation, ttl: maxAge });
    this.#capacity = capacity;
    this.#versions = versions;
  }

  /**
   * The newest known version. It is an assumption, which must be validated before anything that depends on it counts.
   */
  latest(key: string): VersionedValue<V> | undefined {
    return this.#entries.get(key)?.versions.at(-1);
  }

  /** The value of exactly this version. */
  at(key: string, version: number): V | undefined {
    const found = this.#entries.peek(key)?.versions.find((one) => one.version === version);
    if (found !== undefined) this.#entries.get(key, { updateAgeOnGet: true });
    return found?.value;
  }

  /** The newest value that is older than a version, to be updated to that version. */
  before(key: string, version: number): V | undefined {
    return this.#entries.peek(key)?.versions.findLast((one) => one.version < version)?.value;
  }

  weightOf(key: string): number {
    return this.#entries.peek(key)?.weight ?? 0;
  }

  set(key: string, version: number, value: V, weight = 1): void {
    const others = this.#versions === 1 ? [] : (this.#entries.peek(key)?.versions ?? []);
    const versions = [...others.filter((one) => one.version !== version), { value, version }];
    versions.sort((a, b) => a.version - b.version);
    this.#entries.set(key, { versions: versions.slice(-this.#versions), weight: Math.min(weight, this.#capacity) });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** The knowledge of the last transaction that wrote in a workspace, as of its commit. */
export interface CachedWorkspace {
  readonly boards: readonly Doc[];
  readonly columns: ColumnPlaces;
}

/** Structures are updated by later changes, which include marks of removed pages: these are kept for a day. */
const STRUCTURE_MAX_AGE = 3_600_000;

const SETTINGS_MAX_AGE = 5_000;
/** The most cached users, and the most cached credentials. */
const USERS = 5_000;

/** All values that a process caches from committed documents, and the document that validates each. */
export class StoreCaches {
  /** By user: valid while `userVersion` of the user's lock document is the same. */
  readonly users = new UserCache();
  /** By workspace: valid while `revision` of its lock document is the same. */
  readonly states = new VersionedCache<StructureState>({ capacity: 5_000 });
  /** By workspace: valid while `revision` of its lock document is the same. Weighs its members and pages. */
  readonly structures = new VersionedCache<Structure>({ capacity: 400_000, versions: 4, maxAge: STRUCTURE_MAX_AGE });
  /** By workspace: valid while `seq` of its lock document is the same. Weighs its boards, with their statuses and tags, and places. */
  readonly workspaces = new VersionedCache<CachedWorkspace>({ capacity: 200_000 });
  /** By {@link boardKey}: valid while `version` of the board is the same. Weighs its statuses and tags. */
  readonly boards = new VersionedCache<Doc>({ capacity: 100_000 });
  /** Under one key, without a version: valid for five seconds, so that writes hardly ever read them. */
  readonly settings = new VersionedCache<ServiceSettings | null>({ capacity: 1, maxAge: SETTINGS_MAX_AGE });
}

/** A workspace imported again may hold a board of the same id and version: it was created at another revision. */
export function boardKey(workspaceId: string, { createdAtRevision }: StructureState, boardId: string): string {
  return `${workspaceId} ${createdAtRevision} ${boardId}`;
}

export function weightOfBoard(board: Doc): number {
  return 1 + (board['statuses'] as readonly unknown[]).length + (board['tags'] as readonly unknown[]).length;
}

/** A user with its `userVersion` when it was read, which changes with the user, their tokens and identities. */
export type CachedUser = VersionedValue<Doc>;

/** A user, or one of their tokens or identities. */
export interface CachedRecord {
  readonly doc: Doc;
  readonly user: CachedUser;
}

/** The field by which a token or identity is looked up to authenticate a caller. */
const LOOKUP_FIELDS: Partial<Record<DocumentCollection, string>> = { tokens: 'hash', identities: 'identity' };

/** Whether a query looks up a token or identity. */
export function isCredential({ from, one }: Query): boolean {
  return one !== undefined && 'field' in one && LOOKUP_FIELDS[from] === one.field;
}

/** Users and their credentials, all valid while `userVersion` of the user's lock document is the same. */
export class UserCache {
  readonly #users = new VersionedCache<Doc>({ capacity: USERS });
  readonly #credentials = new VersionedCache<Doc>({ capacity: USERS });

  /** The result of a query: a user, or a credential that was cached for the same version as its user. */
  find(query: Query): CachedRecord | undefined {
    const { from, one } = query;
    if (one === undefined) return undefined;
    if ('id' in one) {
      const user = from === 'users' ? this.#users.latest(one.id) : undefined;
      return user && { doc: user.value, user };
    }
    const found = isCredential(query) ? this.#credentials.latest(`${from} ${one.value}`) : undefined;
    const user = found && this.#users.latest(found.value['userId'] as string);
    return found !== undefined && user?.version === found.version ? { doc: found.value, user } : undefined;
  }

  add({ value: user, version }: CachedUser): void {
    this.#users.set(user._id, version, user);
  }

  /** @param version the version of its user when it was read */
  addCredential(from: DocumentCollection, credential: Doc, version: number): void {
    this.#credentials.set(`${from} ${String(credential[LOOKUP_FIELDS[from] ?? ''])}`, version, credential);
  }

  delete(userId: string): void {
    this.#users.delete(userId);
  }
}
