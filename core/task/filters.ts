import type { TaskFilter } from '../model/task-query.ts';

/**
 * Which tasks to list. Several values of one filter: any of them. Several filters: all of them.
 * Dates are `YYYY-MM-DD`, ranges inclusive, and a task without the date is in no range.
 */
export interface TaskFilters {
  /** Running numbers, as people write them behind `#`. */
  readonly num?: readonly number[];
  readonly boardId?: readonly string[];
  readonly statusId?: readonly string[];
  /** Member ids; also `me`, and `none` for tasks of nobody. */
  readonly assigneeId?: readonly string[];
  /** Tag ids; also `none`. */
  readonly tagId?: readonly string[];
  /** Member ids; also `me`. */
  readonly createdById?: readonly string[];
  readonly priority?: readonly number[];
  readonly complete?: boolean;
  readonly externalId?: readonly string[];
  readonly startFrom?: string;
  readonly startTo?: string;
  readonly endFrom?: string;
  readonly endTo?: string;
  /** Ends before today in UTC and is not complete; false: the others. */
  readonly overdue?: boolean;
  /** Changed at this time or later. ISO 8601. */
  readonly updatedSince?: string;
  /** Literal text in title or description, ignoring case. */
  readonly q?: string;
  readonly excludeNum?: readonly number[];
  readonly excludeBoardId?: readonly string[];
  readonly excludeStatusId?: readonly string[];
  readonly excludeAssigneeId?: readonly string[];
  readonly excludeTagId?: readonly string[];
  readonly excludeCreatedById?: readonly string[];
  readonly excludePriority?: readonly number[];
  readonly excludeExternalId?: readonly string[];
  readonly excludeQ?: string;
  /** The same as `complete` the other way round. */
  readonly excludeComplete?: boolean;
  /** The same as `overdue` the other way round. */
  readonly excludeOverdue?: boolean;
}

export interface FilterFacts {
  /** The caller's member id. */
  readonly me: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** The assignment that a task of this member holds. */
  readonly assignmentOf: (memberId: string) => string;
  /** Assignments that tasks still hold although they have ended. */
  readonly ended: ReadonlySet<string>;
}

export function filtersOf(input: TaskFilters, { me, today, assignmentOf, ended }: FilterFacts): TaskFilter[] {
  const filters: TaskFilter[] = [];
  for (const not of [false, true]) {
    const of = not ? excluded(input) : input;
    const value = (field: ValueField, values: readonly (string | number)[] | undefined) => {
      if (values !== undefined) filters.push({ field, in: values, not });
    };
    value('num', of.num);
    value('boardId', of.boardId);
    value('statusId', of.statusId);
    value('createdById', of.createdById?.map(meAs(me)));
    value('priority', of.priority);
    value('externalId', of.externalId);
    const assignees = of.assigneeId?.map((id) => (id === 'none' ? null : assignmentOf(meAs(me)(id))));
    if (assignees !== undefined) filters.push({ field: 'assignees', in: assignees, not, ended });
    const tags = of.tagId?.map((id) => (id === 'none' ? null : id));
    if (tags !== undefined) filters.push({ field: 'tags', in: tags, not });
    if (of.q !== undefined) filters.push({ text: of.q, not });
    if (of.complete !== undefined) filters.push({ field: 'complete', in: [of.complete], not });
    if (of.overdue !== undefined) filters.push({ overdueOn: today, not: of.overdue === not });
  }
  filters.push(...ranges(input));
  return filters;
}

type ValueField = 'num' | 'boardId' | 'statusId' | 'createdById' | 'priority' | 'externalId';

function meAs(me: string): (id: string) => string {
  return (id) => (id === 'me' ? me : id);
}

function ranges(input: TaskFilters): TaskFilter[] {
  const filters: TaskFilter[] = [];
  const range = (field: 'dateStart' | 'dateEnd' | 'updatedAt', from?: string, to?: string) => {
    if (from === undefined && to === undefined) return;
    filters.push({ field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
  };
  range('dateStart', input.startFrom, input.startTo);
  range('dateEnd', input.endFrom, input.endTo);
  range('updatedAt', input.updatedSince === undefined ? undefined : new Date(input.updatedSince).toISOString());
  return filters;
}

function excluded(input: TaskFilters): TaskFilters {
  const pairs = Object.entries(input).flatMap(([name, value]) => {
    const own = /^exclude([A-Z])(.*)$/.exec(name);
    return own === null ? [] : [[own[1]!.toLowerCase() + own[2]!, value as unknown]];
  });
  return Object.fromEntries(pairs) as TaskFilters;
}

/** Whether tasks of nobody are asked for, or left out. */
export function asksForUnassigned({ assigneeId = [], excludeAssigneeId = [] }: TaskFilters): boolean {
  return assigneeId.includes('none') || excludeAssigneeId.includes('none');
}
