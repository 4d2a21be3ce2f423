import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The file of a store that is open. Where it is removed, or another one is put in its place, lmdb goes on with the file
 * that it has mapped, and nobody will ever open that again.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #file: number;

  /** Right after lmdb has opened it. The locks of lmdb are on another file, so this one may be closed at any time. */
  constructor(path: string) {
    this.#path = resolve(path);
    this.#file = openSync(this.#path, 'r');
  }

  /**
   * Two system calls. A file that was moved, with nothing in its place, is still somewhere, and can be found again.
   *
   * @throws if it was removed or replaced
   */
  expectInPlace(): void {
    const opened = fstatSync(this.#file);
    const there = this.#there();
    const isLost = there === null ? opened.nlink === 0 : there.ino !== opened.ino || there.dev !== opened.dev;
    if (isLost) throw new Error(`${this.#path} was removed or replaced while it was open`);
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Null: nothing can be found there. */
  #there(): Stats | null {
    try {
      return statSync(this.#path);
    } catch {
      return null;
    }
  }
}
