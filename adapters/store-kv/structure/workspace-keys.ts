import { idKey, idOfKey, uint32Key } from '../engine/key.ts';
import { type Kv, prefixRange, scan } from '../engine/kv.ts';
import type { LogHead } from '../../../core/ports/change-log.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * The stored state of a workspace. It is kept after deletion, so that a workspace imported again with the same id does
 * not repeat revisions.
 */
export interface KvWorkspaceState {
  /** Identifies the workspace in keys. */
  readonly number: number;
  readonly revision: number;
  /** Whether the workspace exists. */
  readonly open: boolean;
  /** See `StatusCounts` of the port. Absent: 0. */
  readonly pageMoves?: number;
  /** Its change log without the last offset. Absent: nothing was logged. */
  readonly log?: KvLogState;
}

/** A change log without its last offset. */
export interface KvLogState extends Omit<LogHead, 'last'> {
  /** Up to this offset, which is at most the floor, only entries of histories are left. Absent: 0. */
  readonly trimmed?: number;
}

const LAST_NUMBER = `${PREFIX.about}spaces`;

/** The short key of records outside of workspaces. */
export const NO_WORKSPACE = uint32Key(0);

/** Maps workspace ids to the short keys, of four characters, in the keys of their records. One per transaction. */
export class WorkspaceKeys {
  readonly #kv: Kv;
  readonly #keys = new Map<string, string>();
  readonly #states = new Map<string, KvWorkspaceState>();
  /** The ids that were looked up, by key. */
  readonly #ids = new Map<string, string | null>();

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  get(workspaceId: string): KvWorkspaceState | undefined {
    const known = this.#states.get(workspaceId);
    if (known !== undefined) return known;
    const state = this.#kv.get(PREFIX.workspaceState + idKey(workspaceId)) as KvWorkspaceState | undefined;
    if (state !== undefined) this.#states.set(workspaceId, state);
    return state;
  }

  put(workspaceId: string, state: KvWorkspaceState): void {
    this.#states.set(workspaceId, state);
    this.#kv.put(PREFIX.workspaceState + idKey(workspaceId), state);
  }

  /** Null for a workspace that never had any record. */
  key(workspaceId: string): string | null {
    const known = this.#keys.get(workspaceId);
    if (known !== undefined) return known;
    const state = this.get(workspaceId);
    return state === undefined ? null : this.#remember(workspaceId, state);
  }

  /** The workspace of a short key; null: there never was one. O(workspaces) the first time. */
  idOf(workspaceKey: string): string | null {
    const known = this.#ids.get(workspaceKey);
    if (known !== undefined) return known;
    const id = this.#find(workspaceKey);
    this.#ids.set(workspaceKey, id);
    return id;
  }

  #find(workspaceKey: string): string | null {
    const all = prefixRange(PREFIX.workspaceState);
    for (const [key, state] of scan(this.#kv, all)) {
      if (uint32Key((state as KvWorkspaceState).number) === workspaceKey) return idOfKey(key.slice(all.from.length));
    }
    return null;
  }

  allocate(workspaceId: string): string {
    return this.key(workspaceId) ?? this.#remember(workspaceId, this.#add(workspaceId));
  }

  #add(workspaceId: string): KvWorkspaceState {
    const number = ((this.#kv.get(LAST_NUMBER) as number | undefined) ?? 0) + 1;
    const state: KvWorkspaceState = { number, revision: 0, open: false };
    this.#kv.put(LAST_NUMBER, number);
    this.put(workspaceId, state);
    this.#ids.delete(uint32Key(number));
    return state;
  }

  #remember(workspaceId: string, state: KvWorkspaceState): string {
    const key = uint32Key(state.number);
    this.#keys.set(workspaceId, key);
    return key;
  }
}
