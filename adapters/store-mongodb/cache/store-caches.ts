import { LRUCache } from 'lru-cache';
import type { ServiceSettings } from '../../../core/model/service/service-settings.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import type { Doc } from '../query/query.ts';
import type { WorkspaceState } from '../structure/workspace-state.ts';
import type { ColumnPlaces } from '../task/column-places.ts';
import { VersionedCache } from './versioned-cache.ts';

/** What the last transaction that wrote in a workspace knew when it was committed. */
export interface CachedWorkspace {
  readonly boards: readonly Doc[];
  readonly columns: ColumnPlaces;
}

/** Structures are brought up to date by what has changed since; the marks of removed pages are kept for a day. */
const STRUCTURE_MAX_AGE = 3_600_000;

/** The settings that a process read last, under one key. */
export type SettingsCache = LRUCache<'service', { readonly settings: ServiceSettings | null }>;

const SETTINGS_MAX_AGE = 5_000;
/** Users, and as many credentials. */
const USERS = 5_000;

/** All that a process keeps of committed documents, and by which document each stays valid. */
export class StoreCaches {
  /** By user: valid while `userVersion` of the user's lock document is the same. */
  readonly users = new UserCache();
  /** By workspace: valid while `revision` of its lock document is the same. Without the counters. */
  readonly states = new VersionedCache<WorkspaceState>({ capacity: 5_000 });
  /** By workspace: valid while `revision` of its lock document is the same. Weighs its members and pages. */
  readonly structures = new VersionedCache<Structure>({ capacity: 400_000, versions: 4, maxAge: STRUCTURE_MAX_AGE });
  /** By workspace: valid while `seq` of its lock document is the same. Weighs its boards and places. */
  readonly workspaces = new VersionedCache<CachedWorkspace>({ capacity: 200_000 });
  /** By {@link boardKey}: valid while `version` of the board is the same. */
  readonly boards = new VersionedCache<Doc>({ capacity: 5_000 });
  /** Valid for five seconds, so that a write hardly ever waits for them. */
  readonly settings: SettingsCache = new LRUCache({ max: 1, ttl: SETTINGS_MAX_AGE });
}

/** A workspace imported again may hold a board of the same id and version: it was created at another revision. */
export function boardKey(workspaceId: string, { createdAtRevision }: WorkspaceState, boardId: string): string {
  return `${workspaceId} ${createdAtRevision} ${boardId}`;
}

/** A user with the `userVersion` of the moment: it changes with the user, their tokens and identities. */
export interface CachedUser {
  readonly user: Doc;
  readonly version: number;
}

/** A token or identity, with the user that it belongs to. */
export interface CachedCredential {
  readonly credential: Doc;
  readonly user: CachedUser;
}

/** The field by which a credential is looked up. */
const LOOKUP_FIELDS: Partial<Record<DocumentCollection, string>> = { tokens: 'hash', identities: 'identity' };

/** Whether a document found by this field says who a caller is. */
export function isCredential(from: DocumentCollection, field: string): boolean {
  return LOOKUP_FIELDS[from] === field;
}

/** Users and their credentials, all valid while `userVersion` of the user's lock document is the same. */
export class UserCache {
  readonly #users = new VersionedCache<Doc>({ capacity: USERS });
  readonly #credentials = new VersionedCache<Doc>({ capacity: USERS });

  user(id: string): CachedUser | undefined {
    const found = this.#users.latest(id);
    return found && { user: found.value, version: found.version };
  }

  /** Undefined unless the credential and its user are known as of one version. */
  credential(from: DocumentCollection, value: string): CachedCredential | undefined {
    const found = this.#credentials.latest(`${from} ${value}`);
    const user = found && this.user(found.value['userId'] as string);
    return user?.version === found?.version ? found && user && { credential: found.value, user } : undefined;
  }

  add({ user, version }: CachedUser): void {
    this.#users.set(user._id, version, user);
  }

  /** @param version of its user when it was read */
  addCredential(from: DocumentCollection, credential: Doc, version: number): void {
    this.#credentials.set(`${from} ${String(credential[LOOKUP_FIELDS[from] ?? ''])}`, version, credential);
  }

  delete(userId: string): void {
    this.#users.delete(userId);
  }
}
