import type { Structure } from '../model/workspace/structure.ts';
import { totalsOf } from '../tree/totals.ts';

/** The largest sum of members and pages of the kept structures that were read. One is kept even if it is larger. */
const CAPACITY = 400_000;
/** The same of those that were written. */
const CAPACITY_WRITTEN = 100_000;
/** The smallest weight of a structure. */
const MIN_WEIGHT = 400;

/**
 * A cache of earlier structures, by workspace and revision. Structures are immutable and share most of their parts with
 * the one before.
 */
export class RecentStructures {
  /** What readers of changes saw at their cursors. */
  readonly #read: Kept;
  /**
   * Structures that were written, whether or not anybody has read them. They are apart, as many writes must not evict
   * what readers saw.
   */
  readonly #written: Kept;

  constructor(capacity = CAPACITY, capacityWritten = CAPACITY_WRITTEN) {
    this.#read = new Kept(capacity);
    this.#written = new Kept(capacityWritten);
  }

  /** Adds a structure that was read, unless it is only valid inside a transaction. O(1). */
  add(structure: Structure): void {
    this.#read.add(structure);
  }

  /** Adds a structure that was written, in the same way. */
  addWritten(structure: Structure): void {
    this.#written.add(structure);
  }

  /** The structure of a revision, if it is cached. O(1). */
  get(workspaceId: string, revision: number): Structure | undefined {
    const key = keyOf(workspaceId, revision);
    return this.#read.get(key) ?? this.#written.get(key);
  }
}

/** Structures up to a sum of their weights. The oldest are evicted first. */
class Kept {
  readonly #capacity: number;
  readonly #kept = new Map<string, { readonly structure: Structure; readonly weight: number }>();
  #weight = 0;
  /** Most reads see the same structure as the one before: they need no key. */
  #latest: Structure | null = null;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(structure: Structure): void {
    if (structure === this.#latest || structure.isPartial === true) return;
    this.#latest = structure;
    const key = keyOf(structure.workspace.id, structure.revision);
    if (this.#kept.has(key)) return;
    const { members, pages } = totalsOf(structure);
    const weight = Math.max(MIN_WEIGHT, members + pages);
    this.#kept.set(key, { structure, weight });
    this.#weight += weight;
    for (const [oldest, { weight: freed }] of this.#kept) {
      if (this.#weight <= this.#capacity || oldest === key) break;
      this.#kept.delete(oldest);
      this.#weight -= freed;
    }
  }

  get(key: string): Structure | undefined {
    return this.#kept.get(key)?.structure;
  }
}

function keyOf(workspaceId: string, revision: number): string {
  return `${workspaceId} ${revision}`;
}
