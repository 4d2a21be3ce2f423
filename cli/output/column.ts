import type { Text } from '../io/safe-text.ts';
import type { Style } from './style.ts';

/** A column of a table: its heading, and the text of a row's cell. */
export interface Column<T> {
  readonly title: string;
  readonly align?: 'right';
  /** Left out when the table is wider than the terminal: names and numbers do as well. */
  readonly spare?: true;
  /** May be cut when the table is wider than the terminal. */
  readonly cut?: true;
  text(row: T, style: Style): Text;
}
