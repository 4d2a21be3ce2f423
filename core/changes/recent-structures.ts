import type { Structure } from '../model/structure.ts';
import { totalsOf } from '../tree/totals.ts';

/** Members and pages of all structures that are kept, at most. One structure is kept however large. */
const CAPACITY = 400_000;
/** What a structure counts for at least. */
const LEAST = 400;

/**
 * Structures of before, by workspace and revision: what a reader of changes saw at their cursor. The oldest go first. A
 * structure is immutable, and shares most of itself with the one that it was made from.
 */
export class RecentStructures {
  readonly #capacity: number;
  readonly #kept = new Map<string, { readonly structure: Structure; readonly weight: number }>();
  #weight = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** Keeps it, unless it is only valid inside a transaction. O(1). */
  add(structure: Structure): void {
    if (structure.isPartial === true) return;
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
