import { metadataText, type Metadata, type MetadataChanges, type MetadataValue } from '../../core/model/metadata.ts';
import { usage } from '../io/failure.ts';
import type { Column } from '../output/table/column.ts';
import { option } from '../option.ts';

/** The option that writes metadata. */
export const METADATA = option(
  '--metadata <key=value>',
  'a field of your own: text, a number, true or false; \'"5"\' is text; key= takes it away, none all (may be repeated)',
  { repeats: true },
);

/** The value of the option as the engine takes it; undefined if it is not given. @throws a usage failure */
export function metadataGiven(words: readonly string[] | undefined): MetadataChanges | null | undefined {
  if (words === undefined) return undefined;
  if (words.length === 1 && words[0] === 'none') return null;
  return Object.fromEntries(words.map((word) => entryOf(word, '--metadata')));
}

function entryOf(word: string, flag: string): readonly [key: string, value: MetadataValue | null] {
  const at = word.indexOf('=');
  if (at < 1) throw usage(`${flag} takes a key and a value: ${flag} sprint=12`);
  const text = word.slice(at + 1);
  return [word.slice(0, at), text === '' ? null : metadataValue(text)];
}

/** A value from its text: a number or boolean as JSON writes it, else text, which quotes keep from being one of these. */
export function metadataValue(text: string): MetadataValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text !== '' && String(Number(text)) === text && Number.isFinite(Number(text))) return Number(text);
  return isQuoted(text) ? (JSON.parse(text) as string) : text;
}

/** The text from which {@link metadataValue} reads the value. */
export function metadataCell(value: MetadataValue): string {
  const text = metadataText(value);
  return typeof value === 'string' && (value === '' || metadataValue(text) !== value) ? JSON.stringify(value) : text;
}

function isQuoted(text: string): boolean {
  if (!/^".*"$/s.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
}

/** Metadata in one line, as the option takes it. */
export function metadataLine(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}=${metadataCell(value)}`)
    .join(' ');
}

/** The column of metadata, where a record is shown by itself. */
export const METADATA_COLUMN: Column<{ readonly metadata: Metadata }> = {
  title: 'metadata',
  cut: true,
  wide: true,
  text: ({ metadata }) => metadataLine(metadata),
};
