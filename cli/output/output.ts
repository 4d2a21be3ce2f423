import type { Io } from '../io/io.ts';
import { jsonText, oneLine, reshaped, safe, type SafeText, type Text } from '../io/safe-text.ts';
import type { Column } from './column.ts';
import { plain, type Style } from './style.ts';

export interface Format {
  readonly json: boolean;
  /** One JSON value a line. */
  readonly jsonLines: boolean;
  /** Only these fields of each record. */
  readonly fields: readonly string[] | undefined;
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

  /** For scripts, not for people. */
  get isJson(): boolean {
    return this.#format.json || this.#format.jsonLines;
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
    const shown = fields === undefined ? columns : fields.map(fieldColumn<T>);
    if (rows.length === 0) this.note('Nothing to show.');
    else this.#io.stdout.write(table(rows, shown, this.style, this.width));
  }

  /** One record, for people as a block with one line a field. */
  record<T extends object>(record: T, columns: readonly Column<T>[]): void {
    const { fields } = this.#format;
    if (this.isJson) return this.#json(this.#picked([record])[0]);
    const shown = fields === undefined ? columns : fields.map(fieldColumn<T>);
    const longest = Math.max(...shown.map(({ title }) => title.length));
    for (const column of shown) {
      const label = this.style.dim(column.title.padEnd(longest));
      this.#io.stdout.write(safe`${label}  ${indented(column.text(record, this.style), longest + 2)}\n`);
    }
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

  /** Only the fields asked for. One that is not there is null, and a word to the person. */
  #picked(records: readonly object[]): readonly object[] {
    const { fields } = this.#format;
    const [first] = records;
    if (fields === undefined || first === undefined) return records;
    const unknown = fields.filter((name) => !records.some((record) => Object.hasOwn(record, name)));
    if (unknown.length > 0) {
      this.note(`There is no field ${unknown.join(', ')}. There are: ${Object.keys(first).join(', ')}.`);
    }
    return records.map((record) => picked(record, fields));
  }

  #json(value: unknown): void {
    if (!this.#format.jsonLines) this.#io.stdout.write(safe`${jsonText(value, 2)}\n`);
    else for (const item of Array.isArray(value) ? value : [value]) this.#io.stdout.write(safe`${jsonText(item)}\n`);
  }
}

/** Lines after the first begin under it, so that none can pass for another field. */
function indented(text: Text, by: number): SafeText {
  return reshaped(text, (written) => written.replace(/\n(?!$)/g, `\n${' '.repeat(by)}`));
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
