import { writtenOf, type Text } from './safe-text.ts';

/** Where text goes. `columns` and `rows` are the size of a terminal. */
export interface Screen {
  write(text: string, written?: () => void): unknown;
  /** Of a stream: what is not written yet. */
  readonly writableLength?: number;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The only way to a screen: what somebody has written loses its control characters on the way. */
export class SafeScreen {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isTTY(): boolean {
    return this.#screen.isTTY === true;
  }

  /** Of a terminal; undefined where lines may be of any length. */
  get columns(): number | undefined {
    return this.isTTY ? (this.#screen.columns ?? 80) : undefined;
  }

  /** Of a terminal, where it is known. */
  get rows(): number | undefined {
    return this.isTTY ? this.#screen.rows : undefined;
  }

  /** What another of these screens was given to write. */
  pass(written: string): void {
    this.#screen.write(written);
  }

  write(text: Text): void {
    this.#screen.write(writtenOf(text));
  }

  /** Waits until everything is written: a process that ends at once would lose it. */
  async flushed(): Promise<void> {
    const screen = this.#screen;
    if ((screen.writableLength ?? 0) > 0) await new Promise<void>((resolve) => screen.write('', resolve));
  }
}
