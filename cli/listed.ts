/**
 * The values of a list joined by commas. Double quotes stand around one that has a comma itself, with those inside
 * doubled, as in CSV; all other quotes are part of the value.
 */
export function listed(text: string): readonly string[] {
  const parts = text.match(/\s*"(?:[^"]|"")*,(?:[^"]|"")*"\s*(?=,|$)|[^,]+/g) ?? [];
  return parts.map((part) => unquoted(part.trim())).filter((part) => part !== '');
}

/** A value as it stands in a list. */
export function inList(value: string): string {
  return value.includes(',') ? `"${value.replaceAll('"', '""')}"` : value;
}

function unquoted(part: string): string {
  const isQuoted = part.includes(',');
  return isQuoted ? part.slice(1, -1).replaceAll('""', '"') : part;
}
