import { EspalierError } from '../../core/kernel/errors.ts';
import type { Session } from '../../core/session.ts';
import { usage } from '../io/failure.ts';
import { splitList } from '../listed.ts';
import { option } from '../option.ts';

const DEFAULT_COLUMNS = 'Todo,Doing,Done*';

/** The options of commands that create a board. */
export const COLUMN_OPTIONS = [
  option('--columns <names>', `columns; * after a name marks it as done (default: ${DEFAULT_COLUMNS})`),
  option('--no-columns', 'create no columns'),
];

interface NewColumn {
  readonly name: string;
  readonly done: boolean;
}

/**
 * The columns that a new board gets.
 *
 * @param given the value of `--columns`; false for `--no-columns`
 * @throws a usage failure for one without a name
 */
export function newColumns(given: string | boolean | undefined): readonly NewColumn[] {
  if (given === false) return [];
  const list = typeof given === 'string' ? given : DEFAULT_COLUMNS;
  return splitList(list).map((part) => {
    const [, name = '', mark] = /^\s*(.*?)\s*(\*?)\s*$/s.exec(part)!;
    if (name === '') throw usage(`--columns ${JSON.stringify(list)} contains a column without a name.`);
    return { name, done: mark === '*' };
  });
}

/** Adds columns to a new board. If one is refused, the board is deleted. */
export async function addColumns(
  session: Session,
  board: { readonly workspaceId: string; readonly boardId: string },
  columns: readonly NewColumn[],
): Promise<void> {
  try {
    for (const column of columns) await session.statuses.create({ ...board, ...column });
  } catch (error) {
    await session.boards.delete(board);
    if (!(error instanceof EspalierError)) throw error;
    const errors = error.errors.map(({ detail }) => ({ pointer: '/columns', detail }));
    throw new EspalierError(error.code, error.detail, errors, { cause: error });
  }
}
