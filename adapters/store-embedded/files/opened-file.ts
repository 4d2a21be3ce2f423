import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The file of an open store. If it is removed or replaced, lmdb goes on with the mapped file, which can never be opened
 * again.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #file: number;

  /**
   * To be called right after lmdb has opened it. The locks of lmdb are on another file, so this one may be closed at
   * any time.
   */
  constructor(path: string) {
    this.#path = resolve(path);
    this.#file = openSync(this.#path, 'r');
  }

  /**
   * Checks that the path still leads to the open file, with two system calls. A file that was moved without a
   * replacement is accepted, as it can be found again.
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

  /** The file at the path; null if there is none. */
  #there(): Stats | null {
    try {
      return statSync(this.#path);
    } catch {
      return null;
    }
  }
}
