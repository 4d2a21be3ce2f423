import { usage } from '../io/failure.ts';
import type { Io } from '../io/io.ts';
import { jsonText, oneLine, reshaped, safe, type SafeText, type Text } from '../io/safe-text.ts';
import type { Shaping } from './shape.ts';
import { didYouMean } from '../refs/near.ts';
import type { Column } from './column.ts';
import { plain, type Style } from './style.ts';

export interface Format {
  readonly json: boolean;
  /** One JSON value a line. */
  readonly jsonLines: boolean;
  /** All columns of tables, those with ids too. */
  readonly wide: boolean;
  /** Only these fields of each record. */
  readonly fields: readonly string[] | undefined;
  /** Whether they have been looked at: a record may lack one then. */
  readonly areKnown: boolean;
  /** What is printed in place of JSON. */
  readonly shaping?: Shaping | undefined;
}

/** Writes data on stdout, for scripts exactly as the API has it, and words for people on stderr. */
export class Output {
  readonly style: Style;
  readonly #io: Io;
  readonly #format: Format;

  constructor(io: Io, format: Format, style: Style = plain) {
    this.#io = io;
    this.#format = format;
    this.style = style;
  }

  /** Whether scripts read names beside ids: in all that is JSON, unless other fields are asked for. */
  get takesNames(): boolean {
    return this.isJson && (this.#format.fields?.includes('expanded') ?? true);
  }

  /** For scripts, not for people. */
  get isJson(): boolean {
    return this.#format.json || this.#format.jsonLines || this.#format.shaping !== undefined;
  }

  /** For people, who have not said which fields they want to see. */
  get isForPeople(): boolean {
    return !this.isJson && this.#format.fields === undefined;
  }

  /** Of the terminal; undefined where lines may be of any length. */
  get width(): number | undefined {
    return this.#io.stdout.columns;
  }

  /** Several records, as a table for people. */
  async list<T extends object>(rows: readonly T[], columns: readonly Column<T>[]): Promise<void> {
    const { fields } = this.#format;
    if (this.isJson) return this.#json(this.#picked(rows));
    const { table } = await import('./table.ts');
    const shown = fields === undefined ? columns : this.#expected(fields, rows).map(fieldColumn<T>);
    if (rows.length === 0) this.note('Nothing to show.');
    else this.#io.stdout.write(table(rows, shown, this.style, this.width, this.#format.wide));
  }

  /** One record, for people as a block with one line a field. */
  record<T extends object>(record: T, columns: readonly Column<T>[]): void {
    const { fields } = this.#format;
    if (this.isJson) return this.#json(this.#picked([record])[0]);
    const shown = fields === undefined ? columns : this.#expected(fields, [record]).map(fieldColumn<T>);
    const cells = shown.map((column) => ({ title: column.title, value: column.text(record, this.style) }));
    // What is empty was not asked for by name, and tells nothing.
    const told = fields === undefined ? cells.filter(({ value }) => String(value) !== '') : cells;
    const longest = Math.max(...told.map(({ title }) => title.length));
    for (const { title, value } of told) {
      const label = this.style.dim(title.padEnd(longest));
      this.#io.stdout.write(safe`${label}  ${indented(value, longest + 2)}\n`);
    }
  }

  /** What a table or block that follows is about, for people. */
  heading(text: Text): void {
    if (this.isForPeople) this.#io.stdout.write(safe`${this.style.bold(oneLine(text))}\n`);
  }

  /** Data as it is for scripts, and as text for people. */
  show(data: unknown, text: (style: Style) => SafeText): void {
    if (this.isJson)
      this.#json(Array.isArray(data) ? this.#picked(data as object[]) : this.#picked([data as object])[0]);
    else this.#io.stdout.write(text(this.style));
  }

  /** Text that is data itself. */
  raw(text: SafeText): void {
    this.#io.stdout.write(text);
  }

  /** A word to the person at the terminal, on one line. */
  note(text: Text): void {
    this.#io.stderr.write(safe`${oneLine(text)}\n`);
  }

  /** Only the fields asked for. */
  #picked(records: readonly object[]): readonly object[] {
    const { fields } = this.#format;
    if (fields === undefined) return records;
    const expected = this.#expected(fields, records);
    return records.map((record) => picked(record, expected));
  }

  /** @throws a usage failure for a field that none of the records has */
  #expected(fields: readonly string[], records: readonly object[]): readonly string[] {
    if (this.#format.areKnown || records.length === 0) return fields;
    expectFields(fields, [...new Set(records.flatMap((record) => Object.keys(record)))]);
    return fields;
  }

  #json(value: unknown): void {
    const { shaping } = this.#format;
    if (shaping !== undefined) {
      const values = shaping.each && Array.isArray(value) ? (value as unknown[]) : [value];
      for (const one of values) this.#io.stdout.write(shaping.shape(one));
    } else if (!this.#format.jsonLines) this.#io.stdout.write(safe`${jsonText(value, 2)}\n`);
    else for (const item of Array.isArray(value) ? value : [value]) this.#io.stdout.write(safe`${jsonText(item)}\n`);
  }
}

/** Lines after the first begin under it, so that none can pass for another field. */
function indented(text: Text, by: number): SafeText {
  return reshaped(text, (written) => written.replace(/\n(?!$)/g, `\n${' '.repeat(by)}`));
}

/** @throws a usage failure for one that is not there */
export function expectFields(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const near = unknown.flatMap((name) => didYouMean(name, known));
  throw usage(`There is no field ${unknown.join(', ')}.`, ...near, `There are: ${known.join(', ')}.`);
}

function picked(record: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.map((name) => [name, (record as Record<string, unknown>)[name] ?? null]));
}

function fieldColumn<T extends object>(name: string): Column<T> {
  return { title: name, cut: true, text: (row) => asText((row as Record<string, unknown>)[name]) };
}

export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
