import { stripVTControlCharacters } from 'node:util';

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;
const WIDTHLESS = /[\p{Mn}\p{Me}\p{Cf}]/u;
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001B\[[0-9;]*m/g;

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of stripVTControlCharacters(text)) width += signWidth(sign);
  return width;
}

function signWidth(sign: string): number {
  if (WIDTHLESS.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}

/** The text in at most `width` columns, with an ellipsis where something is missing. Colours end with it. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const colours = text.match(ESCAPES);
  let kept = '';
  let used = 0;
  for (const sign of stripVTControlCharacters(text)) {
    used += signWidth(sign);
    if (used > width - 1) break;
    kept += sign;
  }
  return colours === null ? `${kept}…` : `${colours[0]}${kept}…${colours.at(-1)}`;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Without line ends, and without what would move the cursor of a terminal: names are other people's text. */
export function oneLine(text: string): string {
  return stripControlCharacters(text).replace(/\s+/g, ' ');
}

/** Without control characters but tabs, line ends and the colours that the program itself put there. */
export function stripControlCharacters(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001B(?!\[[0-9;]*m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]/g, '');
}
