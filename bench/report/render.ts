import type { Target } from '../figures.ts';
import type { Row } from '../row.ts';
import { shown } from './numbers.ts';
import type { MeasuredRow, Run } from './run.ts';
import { table } from './table.ts';

const HEADLINES = ['Work', 'Figure', 'Limit', 'Ratio', 'Target', 'Met'] as const;
const COLUMNS = [...HEADLINES, 'Beside'] as const;

/** The rows without a comparison, as a table. */
export function mainTable(rows: readonly Row[], columns: readonly (typeof COLUMNS)[number][] = COLUMNS): string {
  const lines = rows.filter((row) => !isSteady(row) && !isGrowing(row)).map(cellsOf);
  return table(
    columns,
    lines.map((cells) => columns.map((column) => cells[column])),
  );
}

function cellsOf(row: Row): Record<(typeof COLUMNS)[number], string> {
  return {
    Work: row.work,
    Figure: `${shown(row.figure)} ${row.unit}`,
    Limit: row.limit === null ? '' : `${shown(row.limit)}: ${row.against}`,
    Ratio: row.ratio === null ? '' : shown(row.ratio),
    Target: targetText(row),
    Met: row.met === null ? '' : row.met ? 'yes' : 'no',
    Beside: besideText(row),
  };
}

/** All that a run measured, as Markdown. */
export function reportOf(run: Run): string {
  return [about(run), mainTable(run.rows), growthTables(run.rows)].filter((text) => text !== '').join('\n\n');
}

/** The page with the figures of this run between its marks. @throws if a mark is missing */
export function withFigures(page: string, run: Run): string {
  const marked = /(<!-- figures -->\n)[^]*?(\n<!-- \/figures -->)/;
  if (!marked.test(page)) throw new Error('There is no part marked figures to write to.');
  const figures = `${about(run)}\n\n${mainTable(run.rows, HEADLINES)}`;
  return page.replace(marked, (_, begin: string, end: string) => `${begin}\n${figures}\n${end}`);
}

function about({ machine, rows, commit, scale, at }: Run): string {
  const { cores, cpu, memoryGb, system, node } = machine;
  const busiest = Math.max(0, ...rows.map(({ busy }) => busy));
  return (
    `Commit \`${commit}\`, ${scale} run of ${at.slice(0, 10)}, on ${cores} cores (${cpu}), ${memoryGb} GB, ${system}, Node ${node}; ` +
    `up to ${shown(busiest)} processes wanted to run at a time.`
  );
}

function targetText({ target, or }: Row): string {
  if (target === null) return '';
  return [boundText(target), ...(or === null ? [] : [or])].join(', or ');
}

function boundText({ atLeast, atMost }: Target): string {
  if (atLeast !== undefined) return `at least ${shown(atLeast)}`;
  return atMost === undefined ? '' : `at most ${shown(atMost)}`;
}

function besideText({ beside }: Row): string {
  return Object.entries(beside)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? shown(value) : value}`)
    .join('; ');
}

function isSteady({ name }: Row): boolean {
  return name.startsWith('steady-');
}

function isGrowing({ name }: Row): boolean {
  return name.startsWith('growing-');
}

function growthTables(rows: readonly MeasuredRow[]): string {
  const parts = [...new Set(rows.filter(isSteady).map(({ part }) => part))];
  return parts
    .map((part) => {
      const own = rows.filter((row) => row.part === part);
      const steady = own.filter(isSteady);
      const growing = own.filter(isGrowing);
      const store = steady[0]!.work.split(', ').at(-1)!;
      return [
        `### Microseconds by the number of tasks: ${store}`,
        sizesTable(steady, ['ratio', 'CPU ratio'], (row) => [
          shown(row.ratio!),
          shown(Number(row.beside['CPU ratio'])),
        ]),
        sizesTable(growing, ['ratio', 'grows'], (row) => [shown(row.ratio!), String(row.beside['grows'])]),
      ].join('\n\n');
    })
    .join('\n\n');
}

const SIZE = /^(\d+) tasks, us$/;

function sizesTable(rows: readonly Row[], more: readonly string[], cells: (row: Row) => readonly string[]): string {
  const sizes = Object.keys(rows[0]?.beside ?? {}).filter((name) => SIZE.test(name));
  const head = ['Work', ...sizes.map((name) => shown(Number(SIZE.exec(name)![1]))), ...more];
  const lines = rows.map((row) => [
    row.work.split(', ').slice(0, -1).join(', '),
    ...sizes.map((name) => shown(Number(row.beside[name]))),
    ...cells(row),
  ]);
  return table(head, lines);
}
