import { invalid } from '../kernel/errors.ts';

/** `YYYY-MM-DD` compares as a string. False unless both are set. */
export function endsBeforeStart(start: string | null | undefined, end: string | null | undefined): boolean {
  return start != null && end != null && end < start;
}

/** @throws `invalid-input` if the end is before the start */
export function requireDates(planned: {
  readonly plannedStartDate?: string | null;
  readonly plannedEndDate?: string | null;
}): void {
  if (endsBeforeStart(planned.plannedStartDate, planned.plannedEndDate)) {
    throw invalid('/plannedEndDate', 'must not be before plannedStartDate');
  }
}
