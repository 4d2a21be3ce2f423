import type { Text } from '../io/safe-text.ts';
import type { Style } from './style.ts';

/** A column of a table: its heading, and the text of a row's cell. */
export interface Column<T> {
  readonly title: string;
  readonly align?: 'right';
  /** Shown only with `--wide`: ids, which people seldom need. */
  readonly wide?: true;
  /** Left out where the terminal has no room for it, the least first. Absent: never. */
  readonly spare?: number;
  /** May be cut when the table is wider than the terminal. */
  readonly cut?: true;
  /** To how many columns before others are left out; default 8. */
  readonly least?: number;
  text(row: T, style: Style): Text;
}
