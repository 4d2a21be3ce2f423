import {
  METADATA,
  metadataText,
  type Metadata,
  type MetadataChanges,
  type MetadataValue,
} from '../../core/model/metadata.ts';
import { usage } from '../io/failure.ts';
import { escapedLog, stripControlCharacters } from '../io/safe-text.ts';
import type { TableColumn } from '../output/table/column.ts';
import { option } from '../option.ts';

/** The option that writes metadata. */
export const METADATA_OPTION = option(
  '--metadata <key=value>',
  'custom field: text, number, true or false; \'"5"\' is text; key= removes it, none removes all (repeatable)',
  { repeats: true },
);

/** The value of the option as the engine takes it; undefined if it is not given. @throws a usage failure */
export function metadataGiven(words: readonly string[] | undefined): MetadataChanges | null | undefined {
  if (words === undefined) return undefined;
  if (words.length === 1 && words[0] === 'none') return null;
  return Object.fromEntries(
    words.map((word): [string, MetadataValue | null] => {
      const [key, text] = keyAndText(word, '--metadata');
      return [key, text === '' ? null : metadataValue(text)];
    }),
  );
}

const KEY = new RegExp(METADATA.key);

/** The parts of `sprint=12`. @throws a usage failure for another word, and for a key that no metadata has */
export function keyAndText(word: string, flag: string): readonly [key: string, text: string] {
  const at = word.indexOf('=');
  if (at < 1) throw usage(`${flag} takes a key and a value, such as ${flag} sprint=12.`);
  const key = word.slice(0, at);
  if (!KEY.test(key)) {
    throw usage(`${flag} takes keys of 1-40 characters A-Z, a-z, 0-9, _, . and -, not ${JSON.stringify(key)}.`);
  }
  return [key, word.slice(at + 1)];
}

/** A value from its text: a number or boolean as JSON writes it, else text. Quotes make a number or boolean a text. */
export function metadataValue(text: string): MetadataValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text !== '' && String(Number(text)) === text && Number.isFinite(Number(text))) return Number(text);
  return isQuoted(text) ? (JSON.parse(text) as string) : text;
}

/** The text from which {@link metadataValue} reads the value, even if spaces around it are lost. */
export function metadataCell(value: MetadataValue): string {
  if (typeof value !== 'string') return metadataText(value);
  const isPlain = value !== '' && metadataValue(value) === value && stripControlCharacters(value).trim() === value;
  return isPlain ? value : String(escapedLog(JSON.stringify(value)));
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

/** The column of metadata, for records that are shown by themselves. */
export const METADATA_COLUMN: TableColumn<{ readonly metadata: Metadata }> = {
  title: 'metadata',
  cut: true,
  wide: true,
  text: ({ metadata }) => metadataLine(metadata),
};
