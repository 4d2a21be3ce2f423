import { invalid } from '../errors.ts';

/** `YYYY-MM-DD` compares as text. @throws `invalid-input` when the end is before the start */
export function requireDates(planned: {
  readonly plannedStartDate?: string | null;
  readonly plannedEndDate?: string | null;
}): void {
  const { plannedStartDate, plannedEndDate } = planned;
  if (plannedStartDate != null && plannedEndDate != null && plannedEndDate < plannedStartDate) {
    throw invalid('/plannedEndDate', 'must not be before plannedStartDate');
  }
}
