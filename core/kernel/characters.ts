/** Whether a text has more than `most` code points, which is how schemas count characters. */
export function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false;
  // A code point takes at most two code units.
  return text.length > 2 * most || Array.from(text).length > most;
}
