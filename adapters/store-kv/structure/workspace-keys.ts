import { idKey, smallKey } from '../engine/key.ts';
import type { Kv } from '../engine/kv.ts';
import type { LogHead } from '../../../core/ports/change-log.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * The stored state of a workspace. It is kept after deletion, so that a workspace imported again with the same id does
 * not repeat revisions.
 */
export interface Space {
  /** Identifies the workspace in keys. */
  readonly number: number;
  readonly revision: number;
  /** Whether the workspace exists. */
  readonly open: boolean;
  /** See `StatusCounts` of the port. Absent: 0. */
  readonly pageMoves?: number;
  /** Of its change log. Absent: nothing was logged. */
  readonly log?: LogHead;
}

const LAST_SPACE = `${PREFIX.about}spaces`;

/** The short key of records outside of workspaces. */
export const NO_SPACE = smallKey(0);

/** Maps workspace ids to the short keys, of four characters, in the keys of their records. One per transaction. */
export class WorkspaceKeys {
  readonly #kv: Kv;
  readonly #keys = new Map<string, string>();
  readonly #spaces = new Map<string, Space>();

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  get(workspaceId: string): Space | undefined {
    const known = this.#spaces.get(workspaceId);
    if (known !== undefined) return known;
    const space = this.#kv.get(PREFIX.space + idKey(workspaceId)) as Space | undefined;
    if (space !== undefined) this.#spaces.set(workspaceId, space);
    return space;
  }

  put(workspaceId: string, space: Space): void {
    this.#spaces.set(workspaceId, space);
    this.#kv.put(PREFIX.space + idKey(workspaceId), space);
  }

  /** Null for a workspace that never had any record. */
  key(workspaceId: string): string | null {
    const known = this.#keys.get(workspaceId);
    if (known !== undefined) return known;
    const space = this.get(workspaceId);
    return space === undefined ? null : this.#remember(workspaceId, space);
  }

  claim(workspaceId: string): string {
    return this.key(workspaceId) ?? this.#remember(workspaceId, this.#add(workspaceId));
  }

  #add(workspaceId: string): Space {
    const number = ((this.#kv.get(LAST_SPACE) as number | undefined) ?? 0) + 1;
    const space: Space = { number, revision: 0, open: false };
    this.#kv.put(LAST_SPACE, number);
    this.put(workspaceId, space);
    return space;
  }

  #remember(workspaceId: string, space: Space): string {
    const key = smallKey(space.number);
    this.#keys.set(workspaceId, key);
    return key;
  }
}
