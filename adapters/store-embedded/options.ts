import { A_BOOLEAN, numberFrom, type OptionRule, requireOptions } from '../../core/kernel/options.ts';
import type { Store } from '../../core/ports/store.ts';

/** The file of an embedded store, and its options. */
export interface EmbeddedOptions {
  /**
   * The path of the file, which is created if missing. The lock file beside it has the same name with `-lock` appended.
   */
  readonly path: string;
  /**
   * Whether a write returns only when it would survive power loss. Default true. In a process, all stores on one file
   * share the setting of the first; a durable one is refused if the first is not durable.
   */
  readonly durable?: boolean;
  /** Permissions of created files, regardless of the umask. Default 0600: only their owner may open them. */
  readonly fileMode?: number;
  /**
   * Whether other processes forward their writes to this one. A commit then waits up to 4 ms for such writes. Default
   * false.
   */
  readonly writesForOthers?: boolean;
}

/** A store in a file. */
export interface EmbeddedStore extends Store {
  /**
   * Copies the store, with everything in it, to a new file, which is a store itself: its state at one point in time,
   * with all writes that were acknowledged before the call. Reads and writes go on meanwhile, in all processes on the
   * store; until it is done, the file grows, because data that is replaced stays in it.
   *
   * @param path of the new file, in a folder that exists
   * @param fileMode permissions of the new file. Default 0600
   * @throws `invalid-input` if the path exists
   * @throws `store-unavailable` if the copy cannot be written; then nothing is left of it
   */
  backup(path: string, fileMode?: number): Promise<void>;
}

/** URLs that `openStore` accepts. As a path, one would name a folder in the working directory. */
const URL_OF_A_STORE = /^(?:file|memory|mongodb|mongodb\+srv):/;

const RULES: Readonly<Record<keyof EmbeddedOptions, OptionRule>> = {
  path: [
    (value) => typeof value === 'string' && value !== '' && !URL_OF_A_STORE.test(value),
    'must be the path of a file; a URL is opened by openStore()',
  ],
  durable: A_BOOLEAN,
  fileMode: numberFrom(0, 0o777),
  writesForOthers: A_BOOLEAN,
};

/** @throws `invalid-input` for options that are missing, unknown or of another form */
export function requireEmbeddedOptions(options: EmbeddedOptions): void {
  requireOptions(options, RULES, ['path']);
}
