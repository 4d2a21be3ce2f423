import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { reshaped, safe, writtenOf, type SafeText, type Text } from '../io/safe-text.ts';

/** Columns that a text takes on a terminal. */
export function widthOf(text: Text): number {
  return stringWidth(writtenOf(text));
}

/** The text in at most `width` columns, with an ellipsis where something is missing. Colours end with it. */
export function cut(text: Text, width: number): SafeText {
  const written = writtenOf(text);
  // What fits is the most of it, and looking for where to cut is slow.
  return reshaped(text, () => (stringWidth(written) <= width ? written : cliTruncate(written, width)));
}

export function pad(text: Text, width: number, align: 'left' | 'right' = 'left'): SafeText {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? safe`${text}${space}` : safe`${space}${text}`;
}

/** Lines of whole words, at most `most`, the last of them cut; a word that is wider than a line is cut as well. */
export function wrapped(text: Text, width: number, most: number): SafeText[] {
  const written = writtenOf(text);
  if (written === '') return [];
  const lines = wrapAnsi(written, width, { hard: false }).split('\n');
  const last = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), ...(last === '' ? [] : [last])].map((line) =>
    cut(
      reshaped('', () => line),
      width,
    ),
  );
}
