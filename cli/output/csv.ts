/** Comma-separated values with a line of headings (RFC 4180). */
export function csv(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [headings, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell that begins like a formula is kept from being one. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
