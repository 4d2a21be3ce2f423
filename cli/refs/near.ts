import { distance } from 'fastest-levenshtein';

/** The most suggestions. */
const MAX_SUGGESTIONS = 3;

/** The words that may have been meant by a mistyped one, nearest first. */
export function nearest(word: string, words: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  const most = Math.ceil(typed.length / 3);
  return words
    .map((one) => ({ one, far: closenessTo(typed, one.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ one }) => one);
}

/** `Did you mean title?`, if one of the words is near. */
export function didYouMean(word: string, words: readonly string[]): string[] {
  const near = nearest(word, words);
  return near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`];
}

/** The edit distance; a word that is a prefix of the other counts as near. */
function closenessTo(typed: string, word: string): number {
  const begins = typed.length > 1 && (word.startsWith(typed) || typed.startsWith(word));
  return begins ? 1 : distance(typed, word);
}
