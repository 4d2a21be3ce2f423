import { profileTable } from './profile-table.ts';
import type { Reach } from '../figures.ts';
import type { Row } from '../row.ts';
import type { Data, KeptProfile, KeptRow } from './data.ts';
import { shown } from './numbers.ts';
import { table } from './table.ts';

/** The rows that stand for themselves, as a table. */
export function mainTable(rows: readonly Row[]): string {
  const lines = rows
    .filter((row) => !isSteady(row) && !isGrowing(row))
    .map((row) => [
      row.work,
      `${shown(row.figure)} ${row.unit}`,
      row.limit === null ? '' : `${shown(row.limit)}: ${row.against}`,
      row.ratio === null ? '' : shown(row.ratio),
      reachText(row.reach),
      row.met === null ? '' : row.met ? 'yes' : 'no',
      besideText(row),
    ]);
  return table(['Work', 'Figure', 'Limit', 'Ratio', 'Reach', 'Met', 'Beside'], lines);
}

/** What the marked parts of `docs/benchmarks.md` say. */
export function sectionsOf(data: Data): Readonly<Record<string, string>> {
  return {
    figures: [about(data), mainTable(data.rows), growthTables(data.rows)].filter((text) => text !== '').join('\n\n'),
    profiles: data.profiles.map(profileText).join('\n\n'),
  };
}

/** The text with each part between `<!-- NAME -->` and `<!-- /NAME -->` replaced. @throws when a mark is missing */
export function withSections(text: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((done, [name, section]) => {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
    if (!marked.test(done)) throw new Error(`There is no part marked ${name} to write to.`);
    return done.replace(marked, (_, begin: string, end: string) => `${begin}\n${section}\n${end}`);
  }, text);
}

function about({ machine, rows }: Data): string {
  if (machine === null) return 'Nothing has been measured yet.';
  const { cores, cpu, memoryGb, system, node } = machine;
  const runs = [...new Set(rows.map((row) => `\`${row.commit}\`, ${row.scale}, ${row.at.slice(0, 10)}`))];
  const busiest = Math.max(0, ...rows.map(({ busy }) => busy));
  return (
    `Measured on ${cores} cores (${cpu}), ${memoryGb} GB, ${system}, Node ${node}; commit and scale: ${runs.join('; ')}. ` +
    `Up to ${shown(busiest)} processes wanted to run at a time.`
  );
}

function reachText(reach: Reach | null): string {
  if (reach?.atLeast !== undefined) return `at least ${shown(reach.atLeast)}`;
  return reach?.atMost === undefined ? '' : `at most ${shown(reach.atMost)}`;
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

function growthTables(rows: readonly KeptRow[]): string {
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

function profileText({ label, store, commit, at, busy, requests }: KeptProfile): string {
  const [head, ...lines] = profileTable(requests);
  const origin = `commit \`${commit}\`, ${at.slice(0, 10)}, while ${shown(busy)} processes wanted to run`;
  return `### ${label[0]!.toUpperCase()}${label.slice(1)}, ${store} store\n\n${origin}:\n\n${table(head!, lines)}`;
}
