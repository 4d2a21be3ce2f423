import type { Yielder } from '../../core/ports/yielder.ts';
import { bytesCounted } from './counted-bytes.ts';
import { LOOP_SHARE, type Share } from './loop-share.ts';

/** Units of work between two checks of the clock: some tenths of a millisecond. A unit is a record read or written. */
const UNITS_BETWEEN_CHECKS = 32;

/**
 * Bytes of records that take about as long: encoding or decoding them takes a fraction of a millisecond in any script.
 */
export const BYTES_BETWEEN_CHECKS = 65_536;

/**
 * Yields to the event loop from time to time during one long computation over an open snapshot or write transaction,
 * which stays open meanwhile.
 */
export class EventLoopYielder implements Yielder {
  readonly #share: Share;
  #units = 0;
  /** The bytes counted at the last check. */
  #bytes = bytesCounted();

  constructor(share: Share = LOOP_SHARE) {
    this.#share = share;
  }

  step(units = 1): Promise<void> | null {
    this.#units += units;
    const bytes = bytesCounted();
    if (this.#units < UNITS_BETWEEN_CHECKS && bytes - this.#bytes < BYTES_BETWEEN_CHECKS) return null;
    this.#units = 0;
    this.#bytes = bytes;
    return this.#share.isOver() ? this.#share.next() : null;
  }
}
