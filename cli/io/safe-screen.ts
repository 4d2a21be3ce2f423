import { screenText, type Text } from './safe-text.ts';

/** An output stream. `columns` and `rows` are the size of a terminal. */
export interface Screen {
  write(text: string, written?: () => void): unknown;
  /** The amount of data not written yet. */
  readonly writableLength?: number;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** A terminal tells when its size changes. */
  on?(event: 'resize', run: () => void): unknown;
}

/** The only way to write to a screen: it strips control characters from plain strings. */
export class SafeScreen {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isTTY(): boolean {
    return this.#screen.isTTY === true;
  }

  /** The width of a terminal; undefined if lines may have any length. A terminal of unknown size reports 0. */
  get columns(): number | undefined {
    return this.isTTY ? this.#screen.columns || 80 : undefined;
  }

  /** The height of a terminal, if known. */
  get rows(): number | undefined {
    return this.isTTY ? this.#screen.rows || undefined : undefined;
  }

  /** Calls back whenever the size of the terminal changes. */
  onResize(run: () => void): void {
    if (this.isTTY) this.#screen.on?.('resize', run);
  }

  /** Writes text that another safe screen has processed. */
  pass(written: string): void {
    this.#screen.write(written);
  }

  write(text: Text): void {
    this.#screen.write(screenText(text));
  }

  /** Waits until everything is written: a process that exits at once would lose it. */
  async flushed(): Promise<void> {
    const screen = this.#screen;
    if ((screen.writableLength ?? 0) > 0) await new Promise<void>((resolve) => screen.write('', resolve));
  }
}
