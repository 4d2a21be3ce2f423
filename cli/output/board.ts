import type { BoardView } from '../../core/board/view.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import { priorityName } from '../config/values.ts';
import { count } from './count.ts';
import type { Style } from './style.ts';
import { cut, oneLine, pad, widthOf } from './text.ts';

export interface Card extends TaskSummary {
  /** Names of those assigned. */
  readonly people: readonly string[];
}

const GAP = 2;
const NARROWEST = 16;
const WIDEST = 72;

/** Columns side by side, with cards as wide as fits; what does not fit goes below. */
export function boardPicture(board: BoardView, cards: readonly Card[], style: Style, width: number): string {
  const head = `${style.bold(oneLine(board.name))}\n`;
  if (board.statuses.length === 0) return `${head}It has no columns yet: espalier status create\n`;
  const abreast = Math.max(1, Math.min(board.statuses.length, Math.floor((width + GAP) / (NARROWEST + GAP))));
  const wide = Math.min(WIDEST, Math.floor((width - GAP * (abreast - 1)) / abreast));
  const columns = board.statuses.map((status) => {
    const own = cards.filter((card) => card.statusId === status.id);
    const title = `${oneLine(status.name)} ${status.taskCount}`;
    const rest = status.taskCount - own.length;
    return [
      style.bold(cut(title, wide)),
      style.dim('─'.repeat(wide)),
      ...own.flatMap((card) => cardLines(card, board, style, wide)),
      ...(rest > 0 ? [style.dim(`and ${rest} more`)] : []),
    ];
  });
  const bands: string[] = [];
  for (let first = 0; first < columns.length; first += abreast) {
    bands.push(sideBySide(columns.slice(first, first + abreast), wide));
  }
  return `${head}\n${bands.join('\n')}`;
}

function sideBySide(columns: readonly (readonly string[])[], wide: number): string {
  const height = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length: height }, (_, row) =>
    columns.map((lines) => pad(lines[row] ?? '', wide)).join(' '.repeat(GAP)),
  );
  return rows.map((row) => `${row.trimEnd()}\n`).join('');
}

function cardLines(card: Card, board: BoardView, style: Style, wide: number): string[] {
  const tags = board.tags.filter((tag) => card.tags.includes(tag.id)).map((tag) => oneLine(tag.name));
  const facts = [
    priorityName(card.priority),
    card.dateEnd === null ? '' : `by ${card.dateEnd}`,
    ...card.people.map((name) => `@${oneLine(name)}`),
    ...tags.map((name) => `[${name}]`),
    card.commentCount === 0 ? '' : count(card.commentCount, 'comment'),
  ].filter((fact) => fact !== '');
  const mark = card.complete ? style.green('✓ ') : '';
  const title = wrapped(`#${card.num} ${oneLine(card.title)}`, wide - widthOf(mark), 2);
  return [
    ...title.map((line, i) => (i === 0 ? mark + line : line)),
    ...wrapped(facts.join(' '), wide, 2).map((line) => style.dim(line)),
    '',
  ];
}

/** At most `lines` lines of words, the last of them cut. */
function wrapped(text: string, wide: number, lines: number): string[] {
  if (text === '') return [];
  const done: string[] = [];
  let line = '';
  const words = text.split(' ');
  for (const [i, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= wide || line === '') line = longer;
    else if (done.length === lines - 1) return [...done, cut(`${line} ${words.slice(i).join(' ')}`, wide)];
    else {
      done.push(cut(line, wide));
      line = word;
    }
  }
  return [...done, cut(line, wide)];
}
