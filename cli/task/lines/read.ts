import { extname } from 'node:path';
import { usage } from '../../io/failure.ts';
import type { TaskLine, LineRecord } from './format.ts';

/**
 * @param file its ending decides the format; without an ending, as for `-` and pipes, the text itself decides
 * @throws a usage failure for invalid CSV, and for JSON that is a list or has line breaks inside
 */
export async function readLines(text: string, file: string): Promise<readonly TaskLine[]> {
  const type = extname(file).toLowerCase();
  if (/^\uFEFF?\s*(?:[[{][^\S\n]*\n|\[\s*[{\]])/.test(text)) {
    throw usage(
      'This is a JSON array or multi-line JSON; JSON Lines has one record per line.',
      'Print a list with --jsonl, or convert an array with jq -c ".[]".',
    );
  }
  const isCsv =
    type === '.csv' || type === '.tsv' || (type === '' && /^\uFEFF?\s*[^\s{]/.test(text) && !beginsWithJson(text));
  if (!isCsv) return jsonLines(text);
  const { csvLines } = await import('./csv.ts');
  return csvLines(text);
}

/** Guesses the format by all lines, as the first line of JSON Lines may be damaged. */
function beginsWithJson(text: string): boolean {
  return text.split('\n', 10).some((line) => line.trimStart().startsWith('{'));
}

function jsonLines(text: string): readonly TaskLine[] {
  return text.split('\n').flatMap((json, i): TaskLine[] => {
    if (json.trim() === '') return [];
    try {
      return [{ line: i + 1, record: objectOf(json) }];
    } catch (error) {
      return [{ line: i + 1, error }];
    }
  });
}

function objectOf(json: string): LineRecord {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw usage(`Not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage('Not a JSON object.');
  return value as LineRecord;
}
