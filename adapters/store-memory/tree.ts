import { BTree } from '../store-kv/engine/b-tree.ts';
import type { Task } from '../../core/model/content/task.ts';
import { compareKeys } from '../store-kv/engine/key.ts';
import {
  type Kv,
  type KvEntry,
  type KvChunk,
  type KvRange,
  type KvReader,
  type KvValue,
  chunkOf,
} from '../store-kv/engine/kv.ts';
import { PREFIX } from '../store-kv/engine/key-prefixes.ts';
import { Interner } from './string-interner.ts';

const FULL = { break: true };

/**
 * The most entries of a node. A write while others read copies one node of each depth, so fewer entries than by default
 * are copied faster. A smaller limit would take more memory: V8 allocates room for 16 entries plus half of its length
 * for a list that grows after a split.
 */
const NODE = 24;

export type Tree = InstanceType<typeof BTree<string, KvValue>>;

/** One state of a memory store. A clone shares its nodes until they are written (copy on write). */
export class TreeSnapshot implements KvReader {
  protected readonly tree: Tree;
  protected readonly texts: Interner;

  constructor(tree: Tree = emptyTree(), texts = new Interner()) {
    this.tree = tree;
    this.texts = texts;
  }

  get(key: string): KvValue | undefined {
    return this.tree.get(key);
  }

  range({ from, to }: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    const found: KvEntry[] = [];
    if (limit <= 0) return found;
    if (limit === 1) {
      // Finding a single entry, such as the end of a column, is faster than starting an iteration.
      const end = reverse ? this.tree.nextLowerPair(to) : this.tree.getPairOrNextHigher(from);
      return end !== undefined && end[0] >= from && end[0] < to ? [end] : found;
    }
    if (!reverse) {
      this.tree.forRange(from, to, false, (key, value) => {
        found.push([key, value]);
        return found.length < limit ? undefined : FULL;
      });
      return found;
    }
    for (const entry of this.tree.entriesReversed(to, undefined, true)) {
      if (entry[0] < from) break;
      found.push(entry);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Values are in memory, so their size does not matter. */
  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk {
    return chunkOf(this.range(range, limit, reverse), limit);
  }

  count({ from, to }: KvRange): number {
    return this.tree.forRange(from, to, false);
  }

  hasMore({ from, to }: KvRange, than: number): boolean {
    let count = 0;
    for (const [key] of this.tree.entries(from)) {
      if (key >= to) break;
      count += 1;
      if (count > than) return true;
    }
    return false;
  }

  draft(): TreeDraft {
    return new TreeDraft(this.tree.clone(), this.texts);
  }
}

/** The next state, while its write transaction runs. */
export class TreeDraft extends TreeSnapshot implements Kv {
  readonly #beforeChange: ((key: string) => void) | undefined;
  #ended = false;

  /** @param beforeChange called with each key before its value changes */
  constructor(tree: Tree, texts: Interner, beforeChange?: (key: string) => void) {
    super(tree, texts);
    this.#beforeChange = beforeChange;
  }

  put(key: string, value: KvValue): void {
    this.#willChange(key);
    this.tree.set(key, this.#interned(key, value));
  }

  putNew(key: string, value: KvValue): boolean {
    this.#willChange(key);
    return this.tree.set(key, this.#interned(key, value), false);
  }

  remove(key: string): void {
    this.#willChange(key);
    this.tree.delete(key);
  }

  /** Ends the write: every later one throws. */
  end(): void {
    this.#ended = true;
  }

  /** Ends the write. @returns the new state: immutable, as nothing else writes to its tree */
  freeze(): TreeSnapshot {
    this.end();
    return new TreeSnapshot(this.tree, this.texts);
  }

  #interned(key: string, value: KvValue): KvValue {
    return key.startsWith(PREFIX.task) ? this.texts.task(value as Task) : value;
  }

  #willChange(key: string): void {
    if (this.#ended) throw new TypeError('The transaction is over.');
    this.#beforeChange?.(key);
  }
}

export function emptyTree(): Tree {
  return new BTree<string, KvValue>(undefined, compareKeys, NODE);
}
