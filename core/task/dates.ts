import { invalid } from '../kernel/errors.ts';
import type { Task } from '../model/content/task.ts';

/** `YYYY-MM-DD` compares as a string. False unless both are set. */
export function endsBeforeStart(start: string | null | undefined, end: string | null | undefined): boolean {
  return start != null && end != null && end < start;
}

/**
 * @param stored the dates of the task that is changed: they stay where none are given
 * @throws `invalid-input` if the end is before the start; it names the end, unless only the start is given
 */
export function requireDates(
  given: { readonly plannedStartDate?: string | null; readonly plannedEndDate?: string | null },
  stored: Pick<Task, 'dateStart' | 'dateEnd'> = { dateStart: null, dateEnd: null },
): void {
  const { plannedStartDate = stored.dateStart, plannedEndDate = stored.dateEnd } = given;
  if (!endsBeforeStart(plannedStartDate, plannedEndDate)) return;
  throw given.plannedEndDate === undefined
    ? invalid('/plannedStartDate', 'must not be after plannedEndDate')
    : invalid('/plannedEndDate', 'must not be before plannedStartDate');
}
