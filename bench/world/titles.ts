const WORDS = 'plan ship write check draft review release invite measure deploy migrate rename restore sort'.split(' ');

export function wordOf(n: number): string {
  return WORDS[n % WORDS.length]!;
}

export function titleOf(n: number): string {
  return `${wordOf(n * 7)} the ${wordOf(n * 3 + 1)} notes of part ${n}`;
}

/** The letters in place of those of English, one for one. */
const ALPHABETS = {
  German: 'äbcdefghüjklmnößqrstuvwxyz',
  Russian: 'абвгдежзийклмнопрстуфхцчшщ',
  Japanese: 'あいうえおかきくけこさしすせそたちつてとなにぬねのは',
} as const;

/** The alphabet of a language. */
export type Alphabet = keyof typeof ALPHABETS;

/** A text of as many characters in another alphabet. */
export function spelled(text: string, alphabet: Alphabet | undefined): string {
  if (alphabet === undefined) return text;
  return text.replace(/[a-z]/g, (letter) => ALPHABETS[alphabet][letter.charCodeAt(0) - A]!);
}

const A = 'a'.charCodeAt(0);
