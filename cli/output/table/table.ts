import { joined, oneLine, safe, type SafeText } from '../../io/safe-text.ts';
import type { TableColumn } from './column.ts';
import type { Style } from './style.ts';
import { cut, pad, textWidth } from './width.ts';

const GAP = 2;
const MIN_COLUMN_WIDTH = 8;

/** A table with headings. If it does not fit the width, columns with `cut` are truncated. */
export function table<T>(
  rows: readonly T[],
  all: readonly TableColumn<T>[],
  style: Style,
  width: number | undefined,
  isWide = false,
): SafeText {
  const wanted = isWide ? all : all.filter(({ wide }) => wide !== true);
  const columns = columnsFor(rows, wanted, style, width);
  const cells = rows.map((row) => columns.map((column) => oneLine(column.text(row, style))));
  const widths = fitted(columns, cells, width);
  const head = columns.map(({ title }) => style.dim(title.toUpperCase()));
  const body = cells.map((row) =>
    row.map((cell, i) => cut(cell, widths[i]!, columns[i]!.cut === 'start' ? 'start' : 'end')),
  );
  return joined([head, ...body].map((row) => line(row, columns, widths)));
}

/** A line without trailing spaces. */
function line<T>(cells: readonly SafeText[], columns: readonly TableColumn<T>[], widths: readonly number[]): SafeText {
  const last = cells.findLastIndex((cell) => textWidth(cell) > 0);
  const shown = cells.slice(0, last + 1).map((cell, i) => {
    const { align } = columns[i]!;
    return i === last && align !== 'right' ? cell : pad(cell, widths[i]!, align);
  });
  return safe`${joined(shown, ' '.repeat(GAP))}\n`;
}

/** The columns that fit: all, or else without empty ones, or else without those of the lowest `dropOrder`. */
function columnsFor<T>(
  rows: readonly T[],
  all: readonly TableColumn<T>[],
  style: Style,
  width: number | undefined,
): readonly TableColumn<T>[] {
  if (width === undefined) return all;
  const widest = (column: TableColumn<T>) =>
    Math.max(0, ...rows.map((row) => textWidth(oneLine(column.text(row, style)))));
  let left = all.map((column) => ({ column, wide: widest(column) }));
  const needed = (minWidth: (column: TableColumn<T>, wide: number) => number) =>
    left.reduce((sum, { column, wide }) => sum + Math.max(column.title.length, minWidth(column, wide)) + GAP, -GAP);
  if (needed((_, wide) => wide) > width) left = left.filter(({ wide }) => wide > 0);
  const cutDown = ({ cut: may, minWidth = MIN_COLUMN_WIDTH }: TableColumn<T>, wide: number) =>
    may === undefined ? wide : Math.min(wide, minWidth);
  while (needed(cutDown) > width) {
    const first = Math.min(...left.map(({ column }) => column.dropOrder ?? Infinity));
    if (first === Infinity) break;
    left = left.filter(({ column }) => column.dropOrder !== first);
  }
  return left.map(({ column }) => column);
}

function fitted<T>(
  columns: readonly TableColumn<T>[],
  cells: readonly (readonly SafeText[])[],
  width: number | undefined,
): number[] {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...cells.map((row) => textWidth(row[i]!))));
  if (width === undefined) return widths;
  const room = () => width - widths.reduce((sum, one) => sum + one, GAP * (columns.length - 1));
  while (room() < 0) {
    const flexible = columns.flatMap(({ cut: may, title }, i) =>
      may !== undefined && widths[i]! > Math.max(MIN_COLUMN_WIDTH, title.length) ? [i] : [],
    );
    if (flexible.length === 0) break;
    const widest = flexible.reduce((a, b) => (widths[b]! > widths[a]! ? b : a));
    widths[widest] = widths[widest]! - 1;
  }
  return widths;
}
