import { distance } from 'fastest-levenshtein';

/** How many are told at most. */
const MOST = 3;

/** Those of the words that somebody may have meant who typed this one, the nearest first. */
export function nearest(word: string, words: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  const most = Math.ceil(typed.length / 3);
  return words
    .map((one) => ({ one, far: farness(typed, one.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ one }) => one);
}

/** `Did you mean title?`, where one of the words is near. */
export function didYouMean(word: string, words: readonly string[]): string[] {
  const near = nearest(word, words);
  return near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`];
}

/** Letters to be changed; one that begins with the other is near, however long it is. */
function farness(typed: string, word: string): number {
  const begins = typed.length > 1 && (word.startsWith(typed) || typed.startsWith(word));
  return begins ? 1 : distance(typed, word);
}
