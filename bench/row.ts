import { meets, type Target } from './figures.ts';

/** One line of the result. */
export interface Row {
  /** The permanent name of the row: letters, digits, dashes. */
  readonly name: string;
  readonly work: string;
  readonly unit: string;
  readonly figure: number;
  /** The figure that it is compared with, measured in the same run; null if the figure is absolute. */
  readonly against: string | null;
  readonly limit: number | null;
  /** Figure by limit. */
  readonly ratio: number | null;
  /** The bounds of the ratio if there is one, else of the figure. Null: the row is reported, not judged. */
  readonly target: Target | null;
  /** Another way to meet the target, in words; null if there is none. */
  readonly or: string | null;
  readonly met: boolean | null;
  /** Further observations, for people. */
  readonly beside: Readonly<Record<string, number | string>>;
}

export interface Judged {
  readonly name: string;
  readonly work: string;
  readonly unit: string;
  readonly figure: number;
  readonly against?: string;
  readonly limit?: number;
  readonly target?: Target;
  /** Another way to meet the target, and whether the figures meet it. */
  readonly or?: { readonly words: string; readonly met: boolean };
  readonly beside?: Row['beside'];
}

/** @throws if a figure or a given limit is NaN: a bench that measured nothing has no row */
export function judged({ against, limit, target, or, beside = {}, ...row }: Judged): Row {
  if (!Number.isFinite(row.figure)) throw new RangeError(`${row.name} has no figure.`);
  if ((against === undefined) !== (limit === undefined)) throw new RangeError(`${row.name} needs a limit with a name.`);
  if (limit !== undefined && !(limit > 0)) throw new RangeError(`${row.name} has no limit to compare with.`);
  const ratio = limit === undefined ? null : row.figure / limit;
  const met = target === undefined ? null : meets(ratio ?? row.figure, target) || or?.met === true;
  return {
    ...row,
    against: against ?? null,
    limit: limit ?? null,
    ratio,
    target: target ?? null,
    or: or?.words ?? null,
    met,
    beside,
  };
}
