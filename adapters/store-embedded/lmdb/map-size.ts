import { readFileSync } from 'node:fs';

/**
 * A size in bytes that most stores never reach, and a quarter of the smallest address space (39 bits, on some kernels
 * for ARM). Only addresses are reserved.
 */
const LARGE = 2 ** 37;

/**
 * The size of a memory map that the file hardly ever outgrows. lmdb maps a file anew when it has grown, by this process
 * or another, and its writing thread may do so just when a read of this thread does: closing the database then unmaps
 * memory outside of the map, and the process ends with SIGSEGV.
 *
 * @returns no size if the address space of the process is limited, as by `ulimit -v`: the map then grows with the file
 */
export function mapSize(): { readonly mapSize?: number } {
  return process.platform === 'win32' || hasLimitedAddresses() ? {} : { mapSize: LARGE };
}

function hasLimitedAddresses(): boolean {
  try {
    return /^Max address space +\d/m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    // On systems other than Linux the limit has no effect.
    return false;
  }
}
