/** A power of two. */
const SLOTS = 2 ** 14;
/** The bytes that tell tasks apart: of the id, which comes first. */
const [FROM, TO] = [20, 40];

interface Decoded {
  readonly bytes: Buffer;
  readonly value: object;
}

/**
 * What was decoded more than once, so that reading a board again decodes nothing. A value is only ever given for the
 * very bytes that it was decoded from: it is never older than what was read, whoever wrote that. It is frozen, since
 * whoever reads the same gets the same one. What is read once, as by a search through everything, is not kept.
 */
export function remembering(decode: (bytes: Buffer, length: number) => object) {
  const slots: (Decoded | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  const seen = new Int32Array(SLOTS);
  /** @param bytes a buffer that may be longer, and that is used again */
  return (bytes: Buffer, length: number): object => {
    let hash = 0;
    for (let i = FROM; i < TO; i += 1) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    const slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    const found = slots[slot];
    if (found?.bytes.length === length && bytes.compare(found.bytes, 0, length, 0, length) === 0) return found.value;
    const value = decode(bytes, length);
    if (seen[slot] === hash) {
      slots[slot] = { bytes: Buffer.from(bytes.subarray(0, length)), value: Object.freeze(value) };
    }
    seen[slot] = hash;
    return value;
  };
}
