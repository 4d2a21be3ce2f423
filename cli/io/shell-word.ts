/** A text as one word of a shell, in a command to copy. */
export function shellWord(text: string): string {
  return /^[\w./:@+][\w./:@+-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
