import type { Text } from '../../io/safe-text.ts';
import type { Style } from './style.ts';

/** A column of a table: its heading, and the text of a row's cell. */
export interface TableColumn<T> {
  readonly title: string;
  readonly align?: 'right';
  /** Shown only with `--wide`: for ids, which are seldom needed. */
  readonly wide?: true;
  /** Left out if the terminal is too narrow, the lowest first. Absent: never. */
  readonly dropOrder?: number;
  /** May be truncated if the table is wider than the terminal; `start`: a path, of which the end is kept. */
  readonly cut?: true | 'start';
  /** The smallest width to which it is truncated before others are left out; default 8. */
  readonly minWidth?: number;
  text(row: T, style: Style): Text;
}
