import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use. */
export interface Heap {
  /** Objects, and buffers outside of the heap. */
  readonly used: number;
  /** Of the process, without the pages of files that are mapped, where the system tells them apart. */
  readonly resident: number;
}

/** @param collected whether to collect garbage first */
export async function heap({ collected }: { readonly collected: boolean }): Promise<Heap> {
  if (collected) {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let i = 0; i < 3; i += 1) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, resident: anonymous() ?? rss };
}

/** The store's file is mapped: it counts as resident as far as it has been read, and is no memory that is used up. */
function anonymous(): number | null {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
