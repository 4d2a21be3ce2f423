/** The first byte of JSON text in one byte for each character, U+0000 to U+00FF. No JSON text begins with it, and no record has this codec. */
const LATIN1 = 0x1e;
/** The first byte of JSON text in UTF-16, in little-endian order. */
const UTF16 = 0x1f;

const BEYOND_LATIN1 = /[^\0-\xff]/;

/** UTF-16 is chosen if UTF-8 takes at least this many bytes for each character: so it is at most 1.67 times as long. */
const BYTES_FOR_UTF16 = 1.2;

/**
 * A JSON text as it is stored. ASCII text is stored in UTF-8. V8 decodes other text from UTF-8 many times slower than
 * it copies it from its own representation: so text that fits into Latin-1 is stored in that, which is shorter, and
 * text with many other characters in UTF-16.
 */
export class TextToWrite {
  /** The length, in bytes. */
  readonly length: number;
  readonly #text: string;
  readonly #mark: number | null;

  constructor(text: string) {
    const inUtf8 = Buffer.byteLength(text);
    this.#text = text;
    this.#mark = markOf(text, inUtf8);
    this.length = this.#mark === null ? inUtf8 : 1 + text.length * (this.#mark === UTF16 ? 2 : 1);
  }

  write(target: Buffer, at: number): void {
    if (this.#mark === null) {
      target.write(this.#text, at, 'utf8');
      return;
    }
    target[at] = this.#mark;
    target.write(this.#text, at + 1, encodingOf(this.#mark));
  }
}

/** The stored JSON text from `at` to `end`. */
export function textIn(bytes: Buffer, at: number, end: number): string {
  const first = bytes[at] as number;
  return isMarked(first) ? bytes.toString(encodingOf(first), at + 1, end) : bytes.toString('utf8', at, end);
}

/** Whether a text that begins with this byte is not in UTF-8. */
export function isMarked(first: number): boolean {
  return first === LATIN1 || first === UTF16;
}

/** @returns null for UTF-8 */
function markOf(text: string, inUtf8: number): number | null {
  if (inUtf8 === text.length) return null;
  if (!BEYOND_LATIN1.test(text)) return LATIN1;
  return inUtf8 >= text.length * BYTES_FOR_UTF16 ? UTF16 : null;
}

function encodingOf(mark: number): 'latin1' | 'utf16le' {
  return mark === UTF16 ? 'utf16le' : 'latin1';
}
