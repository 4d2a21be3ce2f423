import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { reshaped, safe, screenText, type SafeText, type Text } from '../../io/safe-text.ts';

/** Printable ASCII. Its width needs no library: loading that takes longer than most commands. */
const PLAIN = /^[ -~]*$/;

/** The width of a text on a terminal, in columns. */
export function textWidth(text: Text): number {
  const written = screenText(text);
  return PLAIN.test(written) ? written.length : stringWidth(written);
}

/** The text in at most `width` columns, truncated with an ellipsis. Colours are reset at its end. */
export function cut(text: Text, width: number, position: 'start' | 'end' = 'end'): SafeText {
  const written = screenText(text);
  // Most texts fit, and truncating is slow.
  return reshaped(text, () => (textWidth(text) <= width ? written : cliTruncate(written, width, { position })));
}

export function pad(text: Text, width: number, align: 'left' | 'right' = 'left'): SafeText {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? safe`${text}${space}` : safe`${space}${text}`;
}

/** Wraps text at words into at most `most` lines. The last line, and words wider than a line, are truncated. */
export function wrapped(text: Text, width: number, most: number): SafeText[] {
  const written = screenText(text);
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
