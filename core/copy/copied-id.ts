const HEX = 16;
/** Hexadecimal digits of the time in a UUID v7. */
const TIME = 12;

/**
 * The id of the copy of a record: a UUID v7 of the time of the copy, the same in every step. So references between
 * copied records are known without a table of them, and a step that is repeated makes nothing twice.
 *
 * @param copyId UUID v7
 */
export function copiedId(copyId: string, id: string): string {
  const time = copyId.replaceAll('-', '').slice(0, TIME);
  const text = `${copyId} ${id}`;
  const bits = [0, 1, 2].map((seed) => mixed(text, seed).toString(HEX).padStart(8, '0')).join('');
  // The variant of RFC 9562 is 10 in binary.
  const variant = '89ab'[Number.parseInt(bits[3]!, HEX) % 4]!;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${bits.slice(0, 3)}-${variant}${bits.slice(4, 7)}-${bits.slice(7, 19)}`;
}

/** 32 bits of a text, well spread (FNV-1a, finished as MurmurHash3 is). Nobody chooses the ids, so it needs no more. */
function mixed(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
