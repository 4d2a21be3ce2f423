import { statSync } from 'node:fs';
import type { ReadTransaction, Transaction } from '../../core/ports/store.ts';
import { CallTracker } from '../event-loop/call-tracker.ts';
import type { EmbeddedStore } from './options.ts';
import { closed, notDurable } from './store-errors.ts';

interface Opened {
  readonly store: EmbeddedStore;
  readonly durable: boolean;
  holders: number;
}

const OPENED = Symbol.for('espalier.openDatabases');
const ofProcess = globalThis as { [OPENED]?: Map<string, Opened> };
/** Open databases, by file. All copies of this module share them: a bundler may put several into one program. */
const opened = (ofProcess[OPENED] ??= new Map());

/**
 * One lmdb environment per file and process, shared by all stores on the file. LMDB does not allow a process to open a
 * file twice (caveats in lmdb.h): two environments deadlock if they write and close at the same time. So the first
 * store on a file decides whether writes are durable.
 *
 * @throws `store-unavailable` if writes are to be durable, and the open environment does not sync them
 */
export function sharedEnvironment(path: string, durable: boolean, open: () => EmbeddedStore): EmbeddedStore {
  const known = opened.get(keyOf(path) ?? '');
  if (known !== undefined) {
    if (durable && !known.durable) throw notDurable(path);
    known.holders++;
    return new StoreHandle(keyOf(path)!, known);
  }
  const fresh: Opened = { store: open(), durable, holders: 1 };
  const key = keyOf(path)!;
  opened.set(key, fresh);
  return new StoreHandle(key, fresh);
}

/** The identity of the file, independent of its path; null if it does not exist yet. */
function keyOf(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  return file === undefined ? null : `${file.dev} ${file.ino}`;
}

/** A reference-counted handle: the last one to close closes the environment. */
class StoreHandle implements EmbeddedStore {
  readonly #key: string;
  readonly #opened: Opened;
  readonly #calls = new CallTracker();
  #closing: Promise<void> | null = null;

  constructor(key: string, shared: Opened) {
    this.#key = key;
    this.#opened = shared;
  }

  async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#opened.store.read(work));
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#opened.store.write(work));
  }

  async backup(path: string, fileMode?: number): Promise<void> {
    return this.#track(() => this.#opened.store.backup(path, fileMode));
  }

  async ready(): Promise<void> {
    return this.#track(() => this.#opened.store.ready());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #track<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw closed();
    return this.#calls.track(call);
  }

  async #close(): Promise<void> {
    await this.#calls.idle();
    if ((this.#opened.holders -= 1) > 0) return;
    opened.delete(this.#key);
    await this.#opened.store.close();
  }
}
