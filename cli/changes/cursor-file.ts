import { readFile } from 'node:fs/promises';
import { Failure } from '../io/failure.ts';
import { refusePipe } from '../io/open-file.ts';
import { writeFile } from '../io/written-file.ts';

/** A file that keeps a cursor over runs of the program. */
export class CursorFile {
  readonly #path: string;
  readonly #fileMode: number;
  readonly #failed = new AbortController();
  #wanted: string | undefined;
  #writing: Promise<void> | undefined;

  /** @param fileMode permissions of a new file */
  constructor(path: string, fileMode: number) {
    this.#path = path;
    this.#fileMode = fileMode;
  }

  /**
   * The stored cursor; undefined if there is none yet.
   *
   * @throws {Failure} for a pipe, and for a file that cannot be read
   */
  async read(): Promise<string | undefined> {
    await refusePipe(this.#path);
    try {
      const text = (await readFile(this.#path, 'utf8')).trim();
      return text === '' ? undefined : text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Failure('failed', `${this.#path} cannot be read: ${(error as Error).message}`);
    }
  }

  /**
   * Writes a cursor, whole or not at all. Of the cursors that arrive during a write, only the last is written
   * afterwards.
   *
   * @throws {Failure} from `settled`, for a file that cannot be written
   */
  write(cursor: string): void {
    this.#wanted = cursor;
    this.#writing ??= this.#writeWanted();
    this.#writing.catch(() => this.#failed.abort());
  }

  /** Aborted when a cursor could not be written: `settled` then rejects with the reason. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Resolves when the last cursor is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeWanted(): Promise<void> {
    while (this.#wanted !== undefined) {
      const cursor = this.#wanted;
      this.#wanted = undefined;
      await writeFile(this.#path, this.#fileMode, (handle) => handle.writeFile(`${cursor}\n`));
    }
    this.#writing = undefined;
  }
}
