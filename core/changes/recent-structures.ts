import type { Structure } from '../model/workspace/structure.ts';
import { totalsOf } from '../tree/totals.ts';

/** The largest sum of members and pages of the kept structures. One structure is kept whatever its size. */
const CAPACITY = 400_000;
/** The smallest weight of a structure. */
const LEAST = 400;

/**
 * A cache of earlier structures, by workspace and revision: what a reader of changes saw at their cursor. The oldest
 * are evicted first. Structures are immutable and share most of their parts with the one before.
 */
export class RecentStructures {
  readonly #capacity: number;
  readonly #kept = new Map<string, { readonly structure: Structure; readonly weight: number }>();
  #weight = 0;
  /** Most reads see what the one before saw: for them, no key is made. */
  #latest: Structure | null = null;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** Adds a structure, unless it is only valid inside a transaction. O(1). */
  add(structure: Structure): void {
    if (structure === this.#latest || structure.isPartial === true) return;
    this.#latest = structure;
    const key = keyOf(structure.workspace.id, structure.revision);
    if (this.#kept.has(key)) return;
    const { members, pages } = totalsOf(structure);
    const weight = Math.max(LEAST, members + pages);
    this.#kept.set(key, { structure, weight });
    this.#weight += weight;
    for (const [oldest, { weight: freed }] of this.#kept) {
      if (this.#weight <= this.#capacity || oldest === key) break;
      this.#kept.delete(oldest);
      this.#weight -= freed;
    }
  }

  get(workspaceId: string, revision: number): Structure | undefined {
    return this.#kept.get(keyOf(workspaceId, revision))?.structure;
  }
}

function keyOf(workspaceId: string, revision: number): string {
  return `${workspaceId} ${revision}`;
}
