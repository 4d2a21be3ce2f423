import type { Row } from './row.ts';
import type { Scale } from './scale.ts';

/** Some rows that are measured together, on the same worlds. */
export interface Part {
  /** As `--only` has it. */
  readonly name: string;
  run(scale: Scale): Promise<readonly Row[]>;
}
