/** A random source that repeats itself for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to `bound` - 1. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /** A UUID v7 of no particular time. */
  id(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** True once in `outOf` times. */
  once(outOf: number): boolean {
    return this.below(outOf) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Each item with a chance of one in `outOf`. */
  some<T>(items: readonly T[], outOf = 2): T[] {
    return items.filter(() => this.once(outOf));
  }
}

/** The first seed of random tests: that of the environment variable ESPALIER_SEED, or another each time. */
export function firstSeed(): number {
  return Number(process.env['ESPALIER_SEED'] ?? Date.now() % 2 ** 30);
}

/** Runs a test for so many seeds from the first on. A failure names the seed. */
export async function forSeeds(runs: number, test: (random: Random, seed: number) => Promise<void>): Promise<void> {
  const first = firstSeed();
  for (let seed = first; seed < first + runs; seed += 1) {
    try {
      await test(new Random(seed), seed);
    } catch (error) {
      throw new Error(`Failed with ESPALIER_SEED=${seed}`, { cause: error });
    }
  }
}
