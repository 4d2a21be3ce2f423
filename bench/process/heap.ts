import { readFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use. */
export interface Heap {
  /** Objects, and buffers outside of the heap. */
  readonly used: number;
  /** The memory of the process, without the pages of mapped files if the system reports them separately. */
  readonly resident: number;
}

/**
 * @param collected whether to collect garbage first. V8 then drops optimized code, and everything is slower for seconds:
 *   what is measured at the same time needs {@link heapsAfterCollections}.
 */
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

/** The heap after each full collection that V8 starts itself. */
export function heapsAfterCollections() {
  let heaps: Heap[] = [];
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) heaps.push(oldHeap());
  });
  return {
    start(): void {
      heaps = [];
      observer.observe({ entryTypes: ['gc'] });
    },
    stop(): readonly Heap[] {
      observer.disconnect();
      return heaps;
    },
  };
}

/** Entries of collections have a `detail`, which their type lacks. */
function isFull(entry: PerformanceEntry & { readonly detail?: { readonly kind: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** Excludes the young generation, which fills up between collections. */
function oldHeap(): Heap {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new_'));
  const { external, rss } = process.memoryUsage();
  const used = old.reduce((sum, { space_used_size }) => sum + space_used_size, external);
  return { used, resident: anonymous() ?? rss };
}

/** The store's file is mapped: the parts that were read count as resident, but are not memory in use. */
function anonymous(): number | null {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
