import type { Io } from '../io/io.ts';
import type { SafeText } from '../io/safe-text.ts';

/** Erases from the cursor to the end of the screen. */
const REST_OF_LINE = '\u001B[K';
const REST_OF_SCREEN = '\u001B[J';
const HOME = '\u001B[H';

/** Draws a picture again in the same place of a terminal. A picture that is higher than the terminal is cut off. */
export class PictureInPlace {
  readonly #screen: Io['stdout'];
  #isFirst = true;

  constructor(screen: Io['stdout']) {
    this.#screen = screen;
  }

  draw(picture: SafeText): void {
    const lines = picture.written.trimEnd().split('\n');
    const { rows } = this.#screen;
    const fitting = rows === undefined ? lines : lines.slice(0, Math.max(1, rows - 1));
    const clear = this.#isFirst ? `${HOME}${REST_OF_SCREEN}` : HOME;
    this.#isFirst = false;
    // The sequences are the program's own; the text between them is safe.
    this.#screen.pass(`${clear}${fitting.map((line) => `${line}${REST_OF_LINE}\n`).join('')}${REST_OF_SCREEN}`);
  }
}
