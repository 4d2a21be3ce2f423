import { LRUCache } from 'lru-cache';
import type { Structure } from '../../../core/model/structure.ts';

interface Entry {
  readonly structure: Structure;
  /** How many members and pages it holds. */
  readonly weight: number;
}

/** Members and pages kept at most, over all workspaces. One structure is kept however large. */
const CAPACITY = 400_000;
const MOST_ENTRIES = 1_000;

/**
 * Whole structures of committed snapshots, the least recently used dropped first. One is only ever given
 * out for the revision that the asking transaction has read, so it may be older or newer than the store.
 */
export class StructureCache {
  readonly #capacity: number;
  readonly #parent: StructureCache | null;
  readonly #entries: LRUCache<string, Entry>;
  readonly #asked: Set<string>;
  readonly #loading = new Map<string, Promise<Structure>>();

  /** @param capacity members and pages kept at most */
  constructor(capacity = CAPACITY, parent: StructureCache | null = null) {
    this.#capacity = capacity;
    this.#parent = parent;
    const least = Math.ceil(capacity / MOST_ENTRIES);
    const sizeCalculation = ({ weight }: Entry) => Math.min(Math.max(least, weight), capacity);
    this.#entries = new LRUCache({ maxSize: capacity, sizeCalculation });
    this.#asked = parent === null ? new Set() : parent.#asked;
  }

  /** One for transactions that are not committed yet: it sees this one, and gives to it only when settled. */
  draft(): StructureCache {
    return new StructureCache(this.#capacity, this);
  }

  /** Hands what a draft was given to the cache it was made from. To be called when all of it is committed. */
  settle(): void {
    for (const { structure, weight } of [...this.#entries.values()].toReversed()) this.#parent?.put(structure, weight);
    this.#entries.clear();
  }

  get(workspaceId: string, revision: number): Structure | undefined {
    const entry = this.#entries.get(workspaceId);
    return entry?.structure.revision === revision ? entry.structure : this.#parent?.get(workspaceId, revision);
  }

  /** Keeps a structure unless a later one is here. */
  put(structure: Structure, weight: number): void {
    const { id } = structure.workspace;
    const before = this.#entries.peek(id);
    if (before === undefined || before.structure.revision <= structure.revision)
      this.#entries.set(id, { structure, weight });
  }

  /**
   * Loads a structure for all that ask for the same revision meanwhile. Of those whose load fails, each that did not
   * begin it tries by itself.
   */
  async loadOnce(workspaceId: string, revision: number, load: () => Promise<Structure>): Promise<Structure> {
    const key = `${workspaceId} ${revision}`;
    const running = this.#loading.get(key);
    if (running !== undefined) return running.catch(load);
    const loading = load().finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  weightOf(workspaceId: string): number {
    return this.#entries.peek(workspaceId)?.weight ?? this.#parent?.weightOf(workspaceId) ?? 0;
  }

  /** Whether this workspace was asked about before; remembers that it now was. */
  askedAgain(workspaceId: string): boolean {
    if (this.#asked.has(workspaceId)) return true;
    if (this.#asked.size >= MOST_ENTRIES) this.#asked.clear();
    this.#asked.add(workspaceId);
    return false;
  }
}
