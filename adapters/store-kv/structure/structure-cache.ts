import { LRUCache } from 'lru-cache';
import type { Structure } from '../../../core/model/workspace/structure.ts';

interface CachedStructure {
  readonly structure: Structure;
  /** Its number of members and pages. */
  readonly weight: number;
}

/** The most cached members and pages over all workspaces. A single larger structure is cached too. */
const CAPACITY = 400_000;
const MAX_ENTRIES = 1_000;

/**
 * An LRU cache of whole structures of committed snapshots. A structure is only returned for the revision that the
 * transaction has read, so cached ones may be older or newer.
 */
export class StructureCache {
  readonly #capacity: number;
  readonly #parent: StructureCache | null;
  /** Created for the first structure: the draft of a group of writes usually holds none. */
  #entries: LRUCache<string, CachedStructure> | null = null;
  readonly #asked: Set<string>;
  readonly #loading = new Map<string, Promise<Structure>>();
  /** The workspaces whose structures a draft drops from its parent. */
  readonly #dropped = new Set<string>();

  /** @param capacity the most members and pages */
  constructor(capacity = CAPACITY, parent: StructureCache | null = null) {
    this.#capacity = capacity;
    this.#parent = parent;
    this.#asked = parent === null ? new Set() : parent.#asked;
  }

  /** A child cache for uncommitted transactions: it reads through to this one, and writes to it only when settled. */
  draft(): StructureCache {
    return new StructureCache(this.#capacity, this);
  }

  /**
   * Moves the structures of a draft to its parent, and drops there what the draft dropped. To be called after their
   * commit.
   */
  settle(): void {
    for (const workspaceId of this.#dropped) this.#parent?.drop(workspaceId);
    this.#dropped.clear();
    if (this.#entries === null) return;
    for (const { structure, weight } of [...this.#entries.values()].toReversed()) this.#parent?.put(structure, weight);
    this.#entries = null;
  }

  get(workspaceId: string, revision: number): Structure | undefined {
    const entry = this.#entries?.get(workspaceId);
    return entry?.structure.revision === revision ? entry.structure : this.#parent?.get(workspaceId, revision);
  }

  /** Caches a structure unless a later revision is cached. */
  put(structure: Structure, weight: number): void {
    const { id } = structure.workspace;
    this.#entries ??= this.#newEntries();
    const before = this.#entries.peek(id);
    if (before === undefined || before.structure.revision <= structure.revision)
      this.#entries.set(id, { structure, weight });
  }

  /** Drops the structure of a workspace, such as a deleted one, which is never read again. */
  drop(workspaceId: string): void {
    this.#entries?.delete(workspaceId);
    if (this.#parent !== null) this.#dropped.add(workspaceId);
  }

  /**
   * Loads a structure once for concurrent calls for the same revision. If the load fails, the other callers load it
   * themselves.
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
    return this.#entries?.peek(workspaceId)?.weight ?? this.#parent?.weightOf(workspaceId) ?? 0;
  }

  #newEntries(): LRUCache<string, CachedStructure> {
    const capacity = this.#capacity;
    const least = Math.ceil(capacity / MAX_ENTRIES);
    const sizeCalculation = ({ weight }: CachedStructure) => Math.min(Math.max(least, weight), capacity);
    return new LRUCache({ maxSize: capacity, sizeCalculation });
  }

  /** Whether the workspace was requested before; remembers this call. */
  askedAgain(workspaceId: string): boolean {
    if (this.#asked.has(workspaceId)) return true;
    if (this.#asked.size >= MAX_ENTRIES) this.#asked.clear();
    this.#asked.add(workspaceId);
    return false;
  }
}
