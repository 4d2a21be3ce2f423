import { badRequest } from '../response/problem.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Far above what schemas allow: they refuse input that is nested a little too deep, with its location. */
const DEEPEST = 64;
/** Fields of one object. Objects of very many fields take the parser longest. */
const MAX_FIELDS = 1_000;
/**
 * A body may have one value for each of this many bytes of its limit. On average, no field with its value is shorter.
 */
const BYTES_PER_VALUE = 20;
const MIN_VALUES = 1_000;

/**
 * Checks JSON as it arrives, without parsing it. The time to parse depends on the number of values, not of bytes: a
 * body of a mebibyte takes less than a millisecond when it is text, and 60 when it is brackets. O(bytes), about a
 * millisecond for a mebibyte.
 */
export class JsonShape {
  readonly #mostValues: number;
  /** By depth, the commas in the object that is open there; -1 for a list. */
  readonly #commas = new Int32Array(DEEPEST + 1);
  #values = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** @param limit of the body, in bytes */
  constructor(limit: number) {
    this.#mostValues = Math.max(MIN_VALUES, limit / BYTES_PER_VALUE);
  }

  /** @throws `invalid-input` for JSON that is nested much too deep, or has far too many values or fields */
  add(bytes: Uint8Array): void {
    // Kept in variables: a private field for each byte would take several times as long.
    let [inText, isEscaped] = [this.#inText, this.#isEscaped];
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i]!;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === COMMA) this.#next();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte === OPEN_LIST ? -1 : 0);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth = Math.max(0, this.#depth - 1);
    }
    [this.#inText, this.#isEscaped] = [inText, isEscaped];
  }

  #next(): void {
    this.#count();
    if (this.#commas[this.#depth]! < 0) return;
    this.#commas[this.#depth]! += 1;
    if (this.#commas[this.#depth]! >= MAX_FIELDS) refuse(`must not have objects of more than ${MAX_FIELDS} fields`);
  }

  #open(commas: number): void {
    this.#count();
    this.#depth += 1;
    if (this.#depth > DEEPEST) refuse('must not be nested deeper than 32');
    this.#commas[this.#depth] = commas;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#mostValues) refuse(`must not have more than ${Math.floor(this.#mostValues)} values`);
  }
}

function refuse(detail: string): never {
  throw badRequest(`The body ${detail}.`, [{ pointer: '', detail }]);
}
