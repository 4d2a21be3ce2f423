import { readFileSync } from 'node:fs';

/**
 * Bytes: more than most stores grow to, and a quarter of what a process can address where addresses are short (39 bits, as
 * of some kernels for ARM). Only addresses are reserved.
 */
const LARGE = 2 ** 37;

/**
 * The size of a map that the file hardly outgrows. lmdb maps a file anew when it has grown, by this process or another,
 * and its writing thread may do so just when a read of this thread does: then closing the database unmaps memory that is
 * not of the map, and the process ends with SIGSEGV.
 *
 * @returns no size, so that the map grows, where the addresses of the process are limited, as by `ulimit -v`
 */
export function mapSize(): { readonly mapSize?: number } {
  return process.platform === 'win32' || hasLimitedAddresses() ? {} : { mapSize: LARGE };
}

function hasLimitedAddresses(): boolean {
  try {
    return /^Max address space +\d/m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    // Elsewhere the limit has no effect.
    return false;
  }
}
