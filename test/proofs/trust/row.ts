import type { Expect, Outcome } from './expectation.ts';
import type { SampleService } from './sample-service.ts';

/** What the design says of one operation. */
export interface Row {
  /** Every field that carries an id: of the path first, then of query or body; `[]` for one in a list. */
  readonly ids: readonly string[];
  readonly cases: Readonly<Record<string, Case>>;
  /** What an id in the query leads to that nothing usable has. Default: `unusable`. */
  readonly inQuery?: Outcome;
}

export interface Case {
  /** Path ids, query and body fields in one. */
  readonly input: (sample: SampleService) => Readonly<Record<string, unknown>>;
  readonly expect: Expect;
  /** Whether levels on pages count; else the role decides, whatever they are. */
  readonly byLevel: boolean;
}

export type Input = Case['input'];

export const byRole = (expect: Expect, input: Input): Case => ({ expect, input, byLevel: false });
export const byLevel = (expect: Expect, input: Input): Case => ({ expect, input, byLevel: true });

export const row = (ids: string, cases: Row['cases'], inQuery?: Outcome): Row => ({
  ids: ids === '' ? [] : ids.split(' '),
  cases,
  ...(inQuery === undefined ? {} : { inQuery }),
});

/** A row with one case. */
export const one = (ids: string, only: Case, inQuery?: Outcome): Row => row(ids, { plain: only }, inQuery);
