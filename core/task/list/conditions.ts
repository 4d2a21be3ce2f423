import type { Viewer } from '../../access/viewer.ts';
import { timestamp } from '../../kernel/record.ts';
import type { TaskFilter } from '../../model/task-query.ts';
import type { Context } from '../../ports/context.ts';
import { assignmentNow } from '../assignment.ts';
import { filtersOf, type TaskFilters } from './filters.ts';

/** The conditions of the filters that a viewer gives. @param ended see `FilterFacts` */
export function conditionsOf(
  context: Pick<Context, 'clock'>,
  viewer: Viewer,
  input: TaskFilters,
  ended: ReadonlySet<string>,
): TaskFilter[] {
  return filtersOf(input, {
    me: viewer.member.id,
    today: timestamp(context).slice(0, 10),
    assignmentOf: (memberId) => assignmentNow(viewer.structure, memberId),
    ended,
  });
}
