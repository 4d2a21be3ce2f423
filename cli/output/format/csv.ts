import { joined, multiLine, safe, stripControlCharacters, type SafeText } from '../../io/safe-text.ts';

/** Comma-separated values with a line of headings (RFC 4180). */
export function csv(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): SafeText {
  return joined([headings, ...rows].map((row) => safe`${multiLine(row.map(cell).join(','))}\r\n`));
}

/**
 * The text of a cell, without control characters but tabs and line ends. A quote is prepended to text that starts like
 * a formula, so that spreadsheets do not evaluate it (CSV injection).
 */
export function plainCell(value: string | number): string {
  const text = stripControlCharacters(String(value));
  return /^'*[=+\-@\t]/.test(text) ? `'${text}` : text;
}

function cell(value: string | number): string {
  const text = plainCell(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
