import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use. */
export interface Heap {
  /** Objects, and buffers outside of the heap. */
  readonly used: number;
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
  return { used: heapUsed + external, resident: rss };
}
