import type { Structure } from '../../../core/model/structure.ts';

interface Entry {
  /** The latest last. Versions share what they have in common. */
  readonly versions: Structure[];
  weight: number;
  /** When it was last seen to be current, in ms of the process. */
  seenAt: number;
}

/** Members and pages kept at most, over all workspaces. One structure is kept however large. */
const CAPACITY = 400_000;
const VERSIONS = 4;

/**
 * Whole structures of committed snapshots, the least recently used dropped first. One is only ever given
 * out for the revision that the asking transaction has read.
 */
export class StructureCache {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #weight = 0;

  /** @param capacity members and pages kept at most */
  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  get(workspaceId: string, revision: number): Structure | undefined {
    const entry = this.#entries.get(workspaceId);
    const found = entry?.versions.find((structure) => structure.revision === revision);
    if (entry === undefined || found === undefined) return undefined;
    entry.seenAt = performance.now();
    this.#entries.delete(workspaceId);
    this.#entries.set(workspaceId, entry);
    return found;
  }

  /** The latest version before a revision, if it was current within `age` ms. */
  before(workspaceId: string, revision: number, age: number): Structure | undefined {
    const entry = this.#entries.get(workspaceId);
    if (entry === undefined || performance.now() - entry.seenAt > age) return undefined;
    return entry.versions.findLast((structure) => structure.revision < revision);
  }

  weightOf(workspaceId: string): number {
    return this.#entries.get(workspaceId)?.weight ?? 0;
  }

  /** @param weight how many members and pages it holds, about */
  put(structure: Structure, weight: number): void {
    const { id } = structure.workspace;
    const entry = this.#entries.get(id) ?? { versions: [], weight: 0, seenAt: 0 };
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (!entry.versions.some(({ revision }) => revision === structure.revision)) entry.versions.push(structure);
    entry.versions.sort((a, b) => a.revision - b.revision);
    if (entry.versions.length > VERSIONS) entry.versions.shift();
    if (entry.versions.at(-1) === structure) entry.seenAt = performance.now();
    this.#weight += weight - entry.weight;
    entry.weight = weight;
    for (const [oldest, { weight: freed }] of this.#entries) {
      if (this.#entries.size === 1 || this.#weight <= this.#capacity) break;
      this.#entries.delete(oldest);
      this.#weight -= freed;
    }
  }
}
