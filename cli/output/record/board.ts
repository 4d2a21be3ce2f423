import type { BoardView } from '../../../core/board/view.ts';
import type { TaskSummary } from '../../../core/task/view.ts';
import { priorityName } from '../../config/values.ts';
import { joined, oneLine, safe, type SafeText } from '../../io/safe-text.ts';
import { nameText } from './being-removed.ts';
import { checklistProgress } from './checklist.ts';
import { count } from '../table/count.ts';
import { isOverdue } from './task.ts';
import type { Style } from '../table/style.ts';
import { cut, pad, textWidth, wrapped } from '../table/width.ts';

export interface Card extends TaskSummary {
  /** Names of the assignees. */
  readonly people: readonly string[];
}

const GAP = 2;
const MIN_COLUMN_WIDTH = 16;
const MAX_COLUMN_WIDTH = 72;

/** Draws columns side by side as far as they fit the width, the others below. */
export function boardPicture(board: BoardView, cards: readonly Card[], style: Style, width: number): SafeText {
  const head = safe`${style.bold(oneLine(board.name))}\n`;
  if (board.statuses.length === 0) return safe`${head}No columns yet. Add one: espalier status create\n`;
  const perRow = Math.max(1, Math.min(board.statuses.length, Math.floor((width + GAP) / (MIN_COLUMN_WIDTH + GAP))));
  const wide = Math.min(MAX_COLUMN_WIDTH, Math.floor((width - GAP * (perRow - 1)) / perRow));
  const columns = board.statuses.map((status) => {
    const own = cards.filter((card) => card.statusId === status.id);
    const title = safe`${nameText(status, style)} ${String(status.taskCount)}`;
    const rest = status.taskCount - own.length;
    return [
      style.bold(cut(title, wide)),
      style.dim('─'.repeat(wide)),
      ...own.flatMap((card) => cardLines(card, board, style, wide)),
      ...(rest > 0 ? [style.dim(`and ${rest} more`)] : []),
    ];
  });
  const bands: SafeText[] = [];
  for (let first = 0; first < columns.length; first += perRow) {
    bands.push(sideBySide(columns.slice(first, first + perRow), wide));
  }
  return safe`${head}\n${joined(bands, '\n')}`;
}

function sideBySide(columns: readonly (readonly SafeText[])[], wide: number): SafeText {
  const height = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length: height }, (_, row) => {
    const cells = columns.map((lines) => lines[row] ?? EMPTY);
    const shown = cells.slice(0, cells.findLastIndex((cell) => textWidth(cell) > 0) + 1);
    const padded = shown.map((cell, i) => (i === shown.length - 1 ? cell : pad(cell, wide)));
    return safe`${joined(padded, ' '.repeat(GAP))}\n`;
  });
  return joined(rows);
}

const EMPTY = safe``;

function cardLines(card: Card, board: BoardView, style: Style, wide: number): SafeText[] {
  const tags = board.tags
    .filter((tag) => card.tags.includes(tag.id))
    .map((tag) => style.painted(tag.color, safe`[${oneLine(tag.name)}]`));
  const facts = [
    priorityName(card.priority),
    card.dateEnd === null ? '' : isOverdue(card) ? style.red(`by ${card.dateEnd}`) : `by ${card.dateEnd}`,
    ...card.people.map((name) => safe`@${oneLine(name)}`),
    ...tags,
    checklistProgress(card),
    card.commentCount === 0 ? '' : count(card.commentCount, 'comment'),
  ].filter((fact) => fact !== '');
  const mark = card.complete ? style.green('✓ ') : EMPTY;
  const title = wrapped(safe`#${String(card.num)} ${oneLine(card.title)}`, wide - textWidth(mark), 2);
  return [
    ...title.map((line, i) => (i === 0 ? safe`${mark}${line}` : line)),
    ...wrapped(joined(facts, ' '), wide, 2).map((line) => style.dim(line)),
    EMPTY,
  ];
}
