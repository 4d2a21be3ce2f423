/** The bytes of the records that stores of this process have read and written, as far as they count them. */
let bytes = 0;

/** Called by a store for each record: a large one is work of many units. */
export function countBytes(length: number): void {
  bytes += length;
}

export function bytesCounted(): number {
  return bytes;
}
