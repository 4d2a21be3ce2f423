const WORDS = 'plan ship write check draft review release invite measure deploy migrate rename restore sort'.split(' ');

export function wordOf(n: number): string {
  return WORDS[n % WORDS.length]!;
}

export function titleOf(n: number): string {
  return `${wordOf(n * 7)} the ${wordOf(n * 3 + 1)} notes of part ${n}`;
}
