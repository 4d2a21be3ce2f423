import type { KvValue } from '../store-kv/engine/kv.ts';
import { Interner } from './string-interner.ts';
import { emptyTree, type Tree, TreeDraft, TreeSnapshot } from './tree.ts';

/** The most changes that are undone one by one. */
const MAX_UNDONE = 256;

/**
 * The state of a store whose writes run one after another. A write changes the tree in place, and what it replaces is
 * kept for undoing it: that costs less than to copy nodes. Once somebody reads during the write, or it is long, the
 * committed state is set apart, and both trees copy the nodes that they share before they change them.
 */
export class CommittedTree {
  readonly #texts = new Interner();
  #tree = emptyTree();
  /** The committed state, apart from the tree that a write changes. Null: they are the same tree. */
  #apart: Tree | null = null;
  /** What the write has replaced while there is no other tree; undefined: there was nothing. */
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

  /** Brings the committed state back. */
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
