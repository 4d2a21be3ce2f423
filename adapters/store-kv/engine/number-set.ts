/** The numbers of one block: their bits take 64 bytes, which V8 keeps beside the array itself. */
const BLOCK = 512;
const WORD = 32;

/**
 * A set of whole numbers, most of which have neighbours in it, as running numbers do: a bit for each. A `Set` takes many
 * times the memory, and puts all that it has in new places at once as it grows.
 */
export class NumberSet {
  readonly #blocks = new Map<number, Uint32Array>();

  /** Returns whether the number is new. */
  add(value: number): boolean {
    const block = Math.floor(value / BLOCK);
    let words = this.#blocks.get(block);
    if (words === undefined) this.#blocks.set(block, (words = new Uint32Array(BLOCK / WORD)));
    const at = value - block * BLOCK;
    const [word, bit] = [Math.floor(at / WORD), 1 << (at % WORD)];
    if ((words[word]! & bit) !== 0) return false;
    words[word]! |= bit;
    return true;
  }
}
