import type { KvValue } from '../store-kv/engine/kv.ts';
import { Interner } from './string-interner.ts';
import { emptyTree, type Tree, TreeDraft, TreeSnapshot } from './tree.ts';

/** The most changes that are undone one by one. */
const MAX_UNDONE = 256;

/**
 * The state of a store whose writes run one after another. A write changes the tree in place, and keeps replaced values
 * to undo it, which costs less than copying nodes. Once a read begins during the write, or the write is long, the
 * committed state becomes a tree of its own, and shared nodes are copied before they are changed.
 */
export class CommittedTree {
  readonly #texts = new Interner();
  #tree = emptyTree();
  /** The committed state, if it is another tree than the one that a write changes; null: they are the same tree. */
  #apart: Tree | null = null;
  /** The values that the write has replaced while there is only one tree; undefined: the key had none. */
  readonly #replaced: (readonly [key: string, value: KvValue | undefined])[] = [];
  #draft: TreeDraft | null = null;

  /** The state after the last commit. O(1), or O(256) in a write. */
  snapshot(): TreeSnapshot {
    return new TreeSnapshot(this.#setApart(), this.#texts);
  }

  /** Begins a write, which `commit` or `rollback` ends. */
  draft(): TreeDraft {
    this.#draft = new TreeDraft(this.#tree, this.#texts, (key) => this.#keep(key));
    return this.#draft;
  }

  commit(): void {
    this.#end();
    this.#apart = null;
  }

  /** Restores the committed state. */
  rollback(): void {
    if (this.#apart === null) this.#undo(this.#tree);
    else this.#tree = this.#apart.clone();
    this.#end();
  }

  #end(): void {
    this.#draft?.end();
    this.#draft = null;
    this.#replaced.length = 0;
  }

  #setApart(): Tree {
    if (this.#apart === null) {
      this.#apart = this.#tree.clone();
      this.#undo(this.#apart);
    }
    return this.#apart;
  }

  #keep(key: string): void {
    if (this.#apart !== null) return;
    if (this.#replaced.length === MAX_UNDONE) this.#setApart();
    else this.#replaced.push([key, this.#tree.get(key)]);
  }

  #undo(tree: Tree): void {
    for (const [key, value] of this.#replaced.toReversed()) {
      if (value === undefined) tree.delete(key);
      else tree.set(key, value);
    }
  }
}
