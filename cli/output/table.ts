import Table from 'cli-table3';
import type { Column } from './column.ts';
import type { Style } from './style.ts';
import { cut, oneLine, widthOf } from './text.ts';

const GAP = 2;
const NARROWEST = 8;

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/** Rows under their headings. Cells that may be cut give way when it does not fit the width. */
export function table<T>(
  rows: readonly T[],
  all: readonly Column<T>[],
  style: Style,
  width: number | undefined,
): string {
  const columns = columnsFor(rows, all, style, width);
  const cells = rows.map((row) => columns.map((column) => oneLine(column.text(row, style))));
  const widths = fitted(columns, cells, width);
  const drawn = new Table({
    head: columns.map(({ title }) => style.dim(title.toUpperCase())),
    chars: NO_BORDERS,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const row of cells) drawn.push(row.map((cell, i) => cut(cell, widths[i]!)));
  return drawn
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** All of them where they fit uncut, else without those that can be spared. */
function columnsFor<T>(
  rows: readonly T[],
  all: readonly Column<T>[],
  style: Style,
  width: number | undefined,
): readonly Column<T>[] {
  if (width === undefined) return all;
  const widths = all.map((column) =>
    Math.max(column.title.length, ...rows.map((row) => widthOf(oneLine(column.text(row, style))))),
  );
  const needed = widths.reduce((sum, one) => sum + one, GAP * (all.length - 1));
  return needed <= width ? all : all.filter(({ spare }) => spare !== true);
}

function fitted<T>(
  columns: readonly Column<T>[],
  cells: readonly (readonly string[])[],
  width: number | undefined,
): number[] {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...cells.map((row) => widthOf(row[i]!))));
  if (width === undefined) return widths;
  const spare = () => width - widths.reduce((sum, one) => sum + one, GAP * (columns.length - 1));
  while (spare() < 0) {
    const flexible = columns.flatMap(({ cut: may }, i) => (may === true && widths[i]! > NARROWEST ? [i] : []));
    if (flexible.length === 0) break;
    const widest = flexible.reduce((a, b) => (widths[b]! > widths[a]! ? b : a));
    widths[widest] = widths[widest]! - 1;
  }
  return widths;
}
