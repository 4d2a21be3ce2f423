import type { ImportNote } from '../../adapters/formats/trello/index.ts';
import type { ImportCount } from '../../core/import/imported-board.ts';
import type { TableColumn } from '../output/table/column.ts';
import type { Style } from '../output/table/style.ts';
import { table } from '../output/table/table.ts';
import type { TrelloResult } from './trello.ts';
import { joined, lines, oneLine, type SafeText } from '../io/safe-text.ts';

type ReportRow = { readonly kind: string; readonly of: keyof ImportCount };

const ROWS: readonly ReportRow[] = [
  { kind: 'board', of: 'boards' },
  { kind: 'lists -> statuses', of: 'statuses' },
  { kind: 'labels -> tags', of: 'tags' },
  { kind: 'cards -> tasks', of: 'tasks' },
  { kind: 'archived -> in the trash', of: 'trashed' },
  { kind: 'checklist items', of: 'checklistItems' },
  { kind: 'comments', of: 'comments' },
];

const NOTES: readonly TableColumn<ImportNote>[] = [
  { title: 'what', text: ({ what }) => what },
  { title: 'count', align: 'right', text: ({ count }) => String(count) },
  { title: 'why', text: ({ why }) => why },
  {
    title: 'where',
    cut: true,
    text: ({ where, count }) => where.join('; ') + (count > where.length && where.length > 1 ? '; ...' : ''),
  },
];

/** The tables printed after an import. */
export function trelloReport(
  result: TrelloResult,
  isTrial: boolean,
  style: Style,
  width: number | undefined,
): SafeText {
  const { workspace, inFile, created, existing, notes, joined: members } = result;
  const place = `workspace ${workspace.alias}${workspace.isNew ? ' (new)' : ''}`;
  const head = isTrial
    ? `Board ${JSON.stringify(result.board.name)} would be imported like this; nothing was written.`
    : `Board ${JSON.stringify(result.board.name)} is in ${place}: ${result.board.id}`;
  const number = (title: string, of: (row: ReportRow) => number): TableColumn<ReportRow> => ({
    title,
    align: 'right',
    text: (row) => String(of(row)),
  });
  const counts: readonly TableColumn<ReportRow>[] = [
    { title: 'kind', text: ({ kind }) => kind },
    number('in the file', ({ of }) => inFile[of]),
    number('imported', ({ of }) => created[of]),
    number('existed', ({ of }) => existing[of]),
    number('left out', ({ of }) => Math.max(0, inFile[of] - created[of] - existing[of])),
  ];
  const parts = [lines([style.bold(oneLine(head))]), table(ROWS, counts, style, width)];
  if (members.length > 0) parts.push(lines([`Added to the workspace: ${members.join(', ')}`]));
  if (notes.length === 0) parts.push(lines(['Everything in the file was imported unchanged.']));
  else parts.push(lines([style.bold('Not imported unchanged, and why')]), table(notes, NOTES, style, width));
  return joined(parts, '\n');
}
