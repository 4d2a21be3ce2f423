import type { Store } from '../../core/ports/store.ts';

/** A store under test, with what it promises. What is not declared is not tested. */
export interface StoreTarget {
  /** What the tests call it. */
  readonly name: string;
  /** Opens a store that holds nothing. Each test opens its own, and closes it. */
  open(): Promise<Store>;
  /** Declared by a store that outlives its process: closes the store and opens what it kept. */
  readonly reopen?: (store: Store) => Promise<Store>;
  /** Declared by a store that several processes may use: another handle on the same data. */
  readonly peer?: (store: Store) => Promise<Store>;
  /** Times a random test is run. Default 25. */
  readonly runs?: number;
}
