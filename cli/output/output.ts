import { usage } from '../io/failure.ts';
import type { Io } from '../io/io.ts';
import { jsonText, oneLine, reshaped, safe, type SafeText, type Text } from '../io/safe-text.ts';
import { expectFields, isOfMetadata, OF_METADATA } from './format/expect-fields.ts';
import type { Formatting } from './format/formatting.ts';
import type { TableColumn } from './table/column.ts';
import { plain, type Style } from './table/style.ts';

export interface Format {
  readonly json: boolean;
  /** One JSON value per line. */
  readonly jsonLines: boolean;
  /** All columns of tables, including ids. */
  readonly wide: boolean;
  /** Only these fields of each record. */
  readonly fields: readonly string[] | undefined;
  /** Whether `fields` were checked before, so that a record may lack one. */
  readonly areFieldsKnown: boolean;
  /** The formatting of `--jq` or `--template`, instead of JSON. */
  readonly formatting?: Formatting | undefined;
}

/** Writes data to stdout, for scripts exactly as in the API, and messages for users to stderr. */
export class Output {
  readonly style: Style;
  readonly #io: Io;
  readonly #format: Format;

  constructor(io: Io, format: Format, style: Style = plain) {
    this.#io = io;
    this.#format = format;
    this.style = style;
  }

  /** Whether the output includes `expanded` names: in JSON, unless `--fields` leaves them out. */
  get takesNames(): boolean {
    return this.isJson && (this.#format.fields?.includes('expanded') ?? true);
  }

  /** Whether the output is for scripts. */
  get isJson(): boolean {
    return this.#format.json || this.#format.jsonLines || this.#format.formatting !== undefined;
  }

  /** Whether each record of a list is printed by itself, not the list as one value. */
  get isByRecord(): boolean {
    const { formatting, jsonLines } = this.#format;
    return formatting?.each ?? jsonLines;
  }

  /** Whether the output is for people, without `--fields`. */
  get isForPeople(): boolean {
    return !this.isJson && this.#format.fields === undefined;
  }

  /** The width of the terminal; undefined if lines may have any length. */
  get width(): number | undefined {
    return this.#io.stdout.columns;
  }

  /** Several records, as a table for people. */
  async list<T extends object>(rows: readonly T[], columns: readonly TableColumn<T>[]): Promise<void> {
    const { fields } = this.#format;
    if (this.isJson) return this.#json(this.#picked(rows));
    const { table } = await import('./table/table.ts');
    const shown = fields === undefined ? columns : this.#expected(fields, rows).map(fieldColumn<T>);
    if (rows.length === 0) this.note('Nothing to show.');
    else this.#io.stdout.write(table(rows, shown, this.style, this.width, this.#format.wide));
  }

  /** One record, for people as a block with one line a field. */
  record<T extends object>(record: T, columns: readonly TableColumn<T>[]): void {
    const { fields } = this.#format;
    if (this.isJson) return this.#json(this.#picked([record])[0]);
    const shown = fields === undefined ? columns : this.#expected(fields, [record]).map(fieldColumn<T>);
    const cells = shown.map((column) => ({ title: column.title, value: column.text(record, this.style) }));
    // Empty values are left out unless requested with `--fields`.
    const filled = fields === undefined ? cells.filter(({ value }) => String(value) !== '') : cells;
    const longest = Math.max(...filled.map(({ title }) => title.length));
    for (const { title, value } of filled) {
      const label = this.style.dim(title.padEnd(longest));
      this.#io.stdout.write(safe`${label}  ${indented(value, longest + 2)}\n`);
    }
  }

  /** A heading of the following table or block, for people. */
  heading(text: Text): void {
    if (this.isForPeople) this.#io.stdout.write(safe`${this.style.bold(oneLine(text))}\n`);
  }

  /** Prints one record like {@link record}, or as a text for people. */
  show(data: object, text: (style: Style) => SafeText): void {
    if (this.isForPeople) this.#io.stdout.write(text(this.style));
    else this.record(data, []);
  }

  /**
   * To be called for lines that are written unchanged.
   *
   * @throws a usage failure for an option that selects another form
   */
  requireUnformatted(): void {
    const { fields, formatting } = this.#format;
    if (fields === undefined && formatting === undefined) return;
    throw usage('--fields, --jq and --template cannot be used with this output.');
  }

  /** Prints text that is data itself. */
  raw(text: SafeText): void {
    this.#io.stdout.write(text);
  }

  /** Prints a one-line message for the user on stderr. */
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
    if (this.#format.areFieldsKnown || records.length === 0) return fields;
    expectFields(fields, [...new Set(records.flatMap((record) => Object.keys(record)))]);
    return fields;
  }

  #json(value: unknown): void {
    const { formatting } = this.#format;
    if (formatting !== undefined) {
      const values = formatting.each && Array.isArray(value) ? (value as unknown[]) : [value];
      for (const text of formatting.format(values)) this.#io.stdout.write(text);
    } else if (!this.#format.jsonLines) this.#io.stdout.write(safe`${jsonText(value, 2)}\n`);
    else for (const item of Array.isArray(value) ? value : [value]) this.#io.stdout.write(safe`${jsonText(item)}\n`);
  }
}

/** Indents further lines, so that none can imitate another field. */
function indented(text: Text, by: number): SafeText {
  return reshaped(text, (written) => written.replace(/\n(?!$)/g, `\n${' '.repeat(by)}`));
}

function picked(record: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.map((name) => [name, fieldIn(record, name) ?? null]));
}

function fieldColumn<T extends object>(name: string): TableColumn<T> {
  return { title: name, cut: true, text: (row) => asText(fieldIn(row, name)) };
}

function fieldIn(record: object, name: string): unknown {
  const fields = record as Readonly<Record<string, unknown>>;
  if (!isOfMetadata(name)) return fields[name];
  const metadata = (fields['metadata'] ?? {}) as Readonly<Record<string, unknown>>;
  const key = name.slice(OF_METADATA.length);
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
