import { GAP, KEY_LIMIT } from './order-key.ts';

/** The most other records of a list that one write moves, and the longest run of adjacent keys that it makes. */
export const MAX_MOVED = 256;

/** The least distance between keys given by neighbour: records placed between others never get adjacent keys. */
const MIN_GAP = 2;

/**
 * The keys next to a place, nearest first, at most `MAX_MOVED + 1` on each side. A side that has fewer reaches the
 * end of the list.
 */
export interface NeighbouringKeys {
  readonly below: readonly number[];
  readonly above: readonly number[];
}

export interface KeyMove {
  readonly from: number;
  readonly to: number;
}

/** Keys for new records at a place, in order, and the moves that free them. */
export interface Room {
  readonly keys: readonly number[];
  readonly moves: readonly KeyMove[];
  /** The distance between neighbours afterwards. */
  readonly gap: number;
}

/** The gap that suffices when this many records are moved: the more are moved, the longer it must last. */
export function roomyGap(count: number): number {
  return Math.ceil(16 * Math.sqrt(Math.sqrt(Math.max(1, count))));
}

/**
 * Makes room for `slots` records at a place by giving those next to it evenly spaced keys: as few as leave a roomy gap,
 * on the side with more space, at most `most`. Null if that many leave no gap of {@link MIN_GAP}. Based on
 * the local relabelling of order-maintenance lists (Dietz and Sleator, 1987). O(most) arithmetic.
 */
export function rebalance(around: NeighbouringKeys, slots: number, most: number): Room | null {
  const largest = Math.min(most, around.below.length + around.above.length);
  let size = Math.min(1, largest);
  let window = widest(around, size, slots);
  while (size < largest && window.gap < roomyGap(size)) {
    size = Math.min(size * 2, largest);
    window = widest(around, size, slots);
  }
  const { below, above, low, gap } = window;
  if (gap < MIN_GAP) return null;
  const keyAt = (n: number) => low + gap * (n + 1);
  const moved = [...around.below.slice(0, below).toReversed(), ...around.above.slice(0, above)];
  return {
    gap,
    keys: Array.from({ length: slots }, (_, n) => keyAt(below + n)),
    moves: moved.map((from, n) => ({ from, to: keyAt(n < below ? n : n + slots) })),
  };
}

/**
 * The number of records moved on each side of a place, and their new keys: the first of records and slots gets
 * `low + gap`.
 */
interface Window {
  readonly below: number;
  readonly above: number;
  readonly low: number;
  readonly gap: number;
}

function widest(around: NeighbouringKeys, size: number, slots: number): Window {
  const least = Math.max(0, size - around.above.length);
  let best = windowOf(around, least, size - least, slots);
  for (let below = least + 1; below <= Math.min(size, around.below.length); below += 1) {
    const window = windowOf(around, below, size - below, slots);
    if (window.gap > best.gap) best = window;
  }
  return best;
}

/** Bounded on each side by a record that does not move, or by the end of the list. */
function windowOf(around: NeighbouringKeys, below: number, above: number, slots: number): Window {
  const count = below + above + slots;
  const low = around.below[below];
  const high = around.above[above];
  if (low !== undefined && high !== undefined) {
    return { below, above, low, gap: Math.floor((high - low) / (count + 1)) };
  }
  if (low !== undefined) {
    return { below, above, low, gap: Math.min(GAP, Math.floor((KEY_LIMIT - low) / count)) };
  }
  if (high !== undefined) {
    const gap = Math.min(GAP, Math.floor((high + KEY_LIMIT) / count));
    return { below, above, gap, low: high - gap * (count + 1) };
  }
  return { below, above, gap: GAP, low: -GAP * Math.ceil((count + 1) / 2) };
}
