/** The parts of a list joined by commas, empty ones too: quoted with a comma inside, or up to the next comma. */
const PART = /(?<=^|,)(?:\s*"(?:[^"]|"")*,(?:[^"]|"")*"\s*(?=,|$)|[^,]*)/g;

/**
 * The values of a list joined by commas. A value that contains a comma is in double quotes, with quotes inside doubled,
 * as in CSV; all other quotes are part of the value.
 */
export function listed(text: string): readonly string[] {
  return splitList(text).filter((part) => part !== '');
}

/** The same, with empty values. */
export function splitList(text: string): readonly string[] {
  return (text.match(PART) ?? []).map((part) => unquoted(part.trim()));
}

/** A value in the form that it has in a list. */
export function inList(value: string): string {
  return value.includes(',') ? `"${value.replaceAll('"', '""')}"` : value;
}

function unquoted(part: string): string {
  const isQuoted = part.includes(',');
  return isQuoted ? part.slice(1, -1).replaceAll('""', '"') : part;
}
