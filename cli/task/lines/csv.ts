import { CsvError, parse, type InfoRecord } from 'csv-parse/sync';
import type { MetadataValue } from '../../../core/model/metadata.ts';
import type { TaskSummary } from '../../../core/task/view.ts';
import { usage } from '../../io/failure.ts';
import type { SafeText } from '../../io/safe-text.ts';
import { csv, plainCell } from '../../output/format/csv.ts';
import { didYouMean } from '../../refs/near.ts';
import { taskNumber } from '../../refs/workspace-lookup.ts';
import { metadataCell, metadataValue } from '../../config/metadata.ts';
import { priorityName } from '../../config/values.ts';
import { CSV_FIELDS, type TaskLine, type LineRecord } from './format.ts';

type Field = (typeof CSV_FIELDS)[number] | `${typeof OF_METADATA}${string}`;

/** The heading of a column for one key of the metadata begins with it. */
const OF_METADATA = 'metadata.';

interface Parsed {
  readonly record: readonly string[];
  readonly info: InfoRecord;
}

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** @throws a usage failure for an unknown or repeated heading, or invalid CSV */
export function csvLines(text: string): readonly TaskLine[] {
  const [first, ...rows] = rowsIn(text.replace(/^\uFEFF/, ''));
  if (first === undefined) return [];
  const fields = headings(first.cells);
  return rows.map(({ line, cells }) => {
    const record = recordOf(Object.fromEntries(fields.map((field, i) => [field, cells[i]!])));
    return { line, record, asRead };
  });
}

/** The rows of a text. A row may span several lines, of which the first identifies it. Empty lines are not rows. */
function rowsIn(text: string): readonly CsvRow[] {
  const bytes = Buffer.from(text);
  const delimiter = delimiterIn(text);
  const rows = parsed(text, { info: true, skip_empty_lines: true, delimiter }) as readonly Parsed[];
  let [end, next] = [0, 1];
  return rows.map(({ record: cells, info }) => {
    const own = bytes.toString('utf8', end, info.bytes);
    const line = next + lineBreaksIn(/^[\r\n]*/.exec(own)![0]);
    end = info.bytes;
    next += lineBreaksIn(own);
    return { line, cells };
  });
}

/** As the headings have it: spreadsheets of some languages write semicolons, and what is copied from one has tabs. */
function delimiterIn(text: string): string {
  const [headings = ''] = text.trimStart().split(/[\r\n]/, 1);
  return [',', ';', '\t'].find((one) => headings.includes(one)) ?? ',';
}

function lineBreaksIn(text: string): number {
  return text.match(/\r\n|[\r\n]/g)?.length ?? 0;
}

/** The text of a cell as it is read: without control characters and, for some fields, without spaces around it. */
function asRead(field: string, text: string): unknown {
  return recordOf({ [field]: plainCell(text) })[field];
}

/** Writes the CSV that `csvLines` reads. @param name unambiguous, for an id */
export function csvOf(tasks: readonly TaskSummary[], name: (id: string) => string): SafeText {
  const keys = [...new Set(tasks.flatMap(({ metadata }) => Object.keys(metadata)))].sort();
  const rows = tasks.map((task) => [
    task.num,
    task.title,
    task.description,
    task.boardId === null ? '' : name(task.boardId),
    task.statusId === null ? '' : name(task.statusId),
    priorityName(task.priority),
    task.complete ? 'yes' : 'no',
    task.dateStart ?? '',
    task.dateEnd ?? '',
    listText(task.tags.map(name)),
    listText(task.assignees.map(name)),
    task.externalId ?? '',
    ...keys.map((key) => (Object.hasOwn(task.metadata, key) ? metadataCell(task.metadata[key]!) : '')),
  ]);
  return csv([...CSV_FIELDS, ...keys.map((key) => OF_METADATA + key)], rows);
}

function headings(first: readonly string[]): readonly Field[] {
  const fields = first.map(fieldOf);
  const repeated = fields.find((field, i) => fields.indexOf(field) !== i);
  if (repeated !== undefined) throw usage(`The CSV has more than one column for ${repeated}.`);
  return fields;
}

function fieldOf(heading: string): Field {
  const ofMetadata = heading.trim();
  if (ofMetadata.startsWith(OF_METADATA)) return ofMetadata as Field;
  const name = heading.replace(/[\s_-]/g, '').toLowerCase();
  const field = CSV_FIELDS.find((one) => one.toLowerCase() === name);
  if (field !== undefined) return field;
  throw usage(
    `There is no CSV field ${JSON.stringify(heading)}.`,
    ...didYouMean(heading, CSV_FIELDS),
    `Fields: ${CSV_FIELDS.join(', ')}, and metadata.KEY.`,
  );
}

/** The fields of a row. An empty cell clears a value that may be null, and is left out otherwise. */
function recordOf(row: Readonly<Partial<Record<Field, string>>>): LineRecord {
  const record: Record<string, unknown> = {};
  const metadata = new Map<string, MetadataValue | null>();
  for (const [field, cell] of Object.entries(row) as [Field, string][]) {
    const text = unguarded(cell);
    const value = text.trim();
    if (field.startsWith(OF_METADATA))
      metadata.set(field.slice(OF_METADATA.length), value === '' ? null : metadataValue(value));
    else if (field === 'tags' || field === 'assignees') record[field] = listOf(value);
    else if (field === 'description') record[field] = text;
    else if (field === 'priority') record[field] = value === '' ? 0 : value;
    else if (field === 'complete') Object.assign(record, value === '' ? {} : { complete: yesOrNo(value) });
    else if (field === 'num') Object.assign(record, value === '' ? {} : { num: taskNumber(value) ?? value });
    else if (value !== '') record[field] = field === 'externalId' ? text : value;
    else if (field === 'start' || field === 'end' || field === 'externalId') record[field] = null;
  }
  if (metadata.size > 0) record['metadata'] = Object.fromEntries(metadata);
  return record;
}

/** Any other text is passed to the engine, which reports the error. */
function yesOrNo(text: string): boolean | string {
  if (/^(?:yes|true|x|1)$/i.test(text)) return true;
  return /^(?:no|false|0)$/i.test(text) ? false : text;
}

/** Removes the quote that was prepended against formulas. */
function unguarded(cell: string): string {
  return cell.replace(/^'('*[=+\-@\t])/, '$1');
}

function listOf(cell: string): readonly string[] {
  const options = { delimiter: [',', ';'], trim: true, relax_quotes: true };
  const [items = []] = parsed(cell, options) as readonly (readonly string[])[];
  return items.filter((item) => item !== '');
}

function listText(items: readonly string[]): string {
  return items.map((item) => (/[",;\n]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(',');
}

function parsed(text: string, options: object): unknown {
  try {
    return parse(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw usage(`Not valid CSV: ${error.message}`);
  }
}
