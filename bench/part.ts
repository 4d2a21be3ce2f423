import type { Row } from './row.ts';
import type { Scale } from './scale.ts';

/** Rows that are measured together, on the same worlds. */
export interface Part {
  /** The name, as for `--only`. */
  readonly name: string;
  run(scale: Scale): Promise<readonly Row[]>;
}
