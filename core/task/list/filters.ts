import type { MetadataMatch, RangeField, TaskFilter, ValueField } from '../../model/content/task-query.ts';
import type { Task } from '../../model/content/task.ts';
import { type HasLinks, LINK_ENDS, linkedAs, type LinkEnd } from '../../model/content/task-links.ts';

/** The boards in templates, and the tasks whose own pages are in templates, as far as one member sees them. */
export interface TemplateContents {
  readonly boards: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
}

/** What conditions depend on besides the values of the filter. */
export interface FilterFacts {
  /** The caller's member id. */
  readonly me: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** The assignment that tasks of a member hold. */
  readonly assignmentOf: (memberId: string) => string;
  /** Assignments of ended memberships that tasks may still hold. */
  readonly ended: ReadonlySet<string>;
  /** What is in templates, as far as the caller sees it. */
  readonly templates: TemplateContents;
  /** The ids of the indexes of metadata that are built, by their keys. */
  readonly indexes: ReadonlyMap<string, string>;
  /** The tasks that filters by links name, as far as the caller sees them. */
  readonly named: ReadonlyMap<string, HasLinks>;
  /** The ids of blocked tasks; of a filter by `blocked`. */
  readonly blocked: ReadonlySet<string>;
}

/** How many values one filter takes. */
export const MAX_FILTER_VALUES = 100;

/** The type of a filter's values. Schemas and command-line options are derived from it. */
export type FilterValue =
  | { readonly type: 'id'; readonly words: readonly ('me' | 'none')[] }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'text'; readonly maxLength: number }
  | { readonly type: 'externalId' | 'date' | 'time' | 'flag' | 'metadataKey' }
  /** Lists of texts by keys of the metadata. */
  | { readonly type: 'metadata' };

/** One filter of the task list: a row of {@link FILTERS}. */
export interface Filter<Input = never> {
  /** Whether it takes several values, joined by OR. */
  readonly many: boolean;
  readonly value: FilterValue;
  /** Its description in schemas: a sentence. */
  readonly about?: string;
  /** Whether there is also a filter named `exclude...` that negates it. */
  readonly excludes: boolean;
  readonly condition: (given: Input, facts: FilterFacts) => TaskFilter | readonly TaskFilter[];
}

type TaskFieldValue<Field extends keyof Task> = NonNullable<Task[Field]>;

/** Tasks with one of these values in a field. */
function oneOf<Field extends ValueField>(field: Field, value: FilterValue, about: string) {
  const condition = (given: readonly TaskFieldValue<Field>[]): TaskFilter => ({ field, in: given });
  return { many: true, value, about, excludes: true, condition } as const;
}

/** Tasks with one of these members or tags. */
function related(words: readonly ('me' | 'none')[], about: string, condition: Filter<readonly string[]>['condition']) {
  return { many: true, value: { type: 'id', words }, about, excludes: true, condition } as const;
}

/** Tasks whose value in a field is from or up to this one, inclusive; never those without a value. */
function bound(field: RangeField, edge: 'from' | 'to', type: 'date' | 'time', about: string) {
  const condition = (given: string): TaskFilter => ({
    field,
    [edge]: type === 'time' ? new Date(given).toISOString() : given,
  });
  return { many: false, value: { type }, about, excludes: false, condition } as const;
}

function flag(condition: Filter<boolean>['condition'], about?: string) {
  return {
    many: false,
    value: { type: 'flag' },
    ...(about !== undefined && { about }),
    excludes: true,
    condition,
  } as const;
}

/** The tasks that are linked to the named ones in these ways. */
function linkedFrom(
  ids: readonly string[],
  named: FilterFacts['named'],
  ends: readonly LinkEnd[],
): ReadonlySet<string> {
  const tasks = ids.flatMap((id) => named.get(id) ?? []);
  return new Set(tasks.flatMap((task) => ends.flatMap((end) => linkedAs(task, end))));
}

const id = { type: 'id', words: [] } as const;
const integer = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const;

/**
 * The filters of the task list. Values of one filter are joined by OR, filters by AND. The input type of the task list,
 * its schema and the query parameters of the service are derived from these rows; `cli/task/filters.ts` adds the names
 * of command-line options.
 */
export const FILTERS = {
  /** Running numbers. */
  num: oneOf('num', integer(1, Number.MAX_SAFE_INTEGER), 'With one of these running numbers.'),
  /** On one of these boards. */
  boardId: oneOf('boardId', id, 'On one of these boards.'),
  /** In one of these statuses. */
  statusId: oneOf('statusId', id, 'In one of these statuses.'),
  /** Member ids, `me`, or `none` for unassigned tasks. */
  assigneeId: related(
    ['me', 'none'],
    'Assigned to one of these members. me: to the caller; none: to nobody.',
    (ids, { me, assignmentOf, ended }) => ({
      field: 'assignees',
      in: ids.map((one) => (one === 'none' ? null : assignmentOf(one === 'me' ? me : one))),
      ended,
    }),
  ),
  /** Tag ids, or `none` for tasks without tags. */
  tagId: related(['none'], 'With one of these tags. none: without tags.', (ids) => ({
    field: 'tags',
    in: ids.map((one) => (one === 'none' ? null : one)),
  })),
  /** Member ids, or `me`. */
  createdById: related(['me'], 'Created by one of these members. me: by the caller.', (ids, { me }) => ({
    field: 'createdById',
    in: ids.map((one) => (one === 'me' ? me : one)),
  })),
  /** With one of these priorities, 0-1000. */
  priority: oneOf('priority', integer(0, 1_000), 'With one of these priorities.'),
  /** By the completion flag. */
  complete: flag((complete) => ({ field: 'complete', in: [complete] }), 'Complete. False: not complete.'),
  /** With one of these ids in another system. */
  externalId: oneOf('externalId', { type: 'externalId' }, 'With one of these external ids.'),
  /** Starts on this day or later. `YYYY-MM-DD`. */
  startFrom: bound('dateStart', 'from', 'date', 'Starts on this day or later.'),
  /** Starts on this day or earlier. `YYYY-MM-DD`. */
  startTo: bound('dateStart', 'to', 'date', 'Starts on this day or earlier.'),
  /** Ends on this day or later. `YYYY-MM-DD`. */
  endFrom: bound('dateEnd', 'from', 'date', 'Ends on this day or later.'),
  /** Ends on this day or earlier. `YYYY-MM-DD`. */
  endTo: bound('dateEnd', 'to', 'date', 'Ends on this day or earlier.'),
  /** Ends before today in UTC and is not complete; false: all other tasks. */
  overdue: flag(
    (overdue, { today }) => ({ overdueOn: today, not: !overdue }),
    'Ends before today in UTC and is not complete. False: all other tasks.',
  ),
  /** On templates. Absent or false: all other tasks, see {@link asksForTemplates}. */
  template: {
    many: false,
    value: { type: 'flag' },
    about:
      'On templates: boards and pages with template, and everything below. False: all other tasks. Absent: as false, but all tasks if boardId, statusId, num, externalId, parentTaskId (other than none) or linkedTo is given.',
    excludes: false,
    // The others are what is in scope without it.
    condition: (template: boolean, { templates }: FilterFacts): readonly TaskFilter[] =>
      template ? [{ onBoards: templates.boards, orTasks: templates.tasks }] : [],
  },
  /** Changed at this time or later. ISO 8601. */
  updatedSince: bound('updatedAt', 'from', 'time', 'Changed at this time or later.'),
  /** Ids of parent tasks, or `none` for tasks without a parent, visible or not. */
  parentTaskId: related(
    ['none'],
    'Children of one of these tasks. none: tasks without a parent, visible or not.',
    (ids, { named }) => ({
      ids: linkedFrom(ids, named, ['child']),
      ...(ids.includes('none') && { orWithout: 'parent' as const }),
    }),
  ),
  /** Blocked by a task that the caller sees and that is not complete. */
  blocked: flag(
    (blocked, { blocked: ids }) => ({ ids, not: !blocked }),
    'Blocked by a task that is not complete. False: not blocked.',
  ),
  /** Ids of tasks. Finds all tasks that are linked to them. */
  linkedTo: related([], 'Linked to one of these tasks, in any way.', (ids, { named }) => ({
    ids: linkedFrom(ids, named, LINK_ENDS),
  })),
  /** Literal text in title or description, ignoring case. */
  q: {
    many: false,
    value: { type: 'text', maxLength: 500 },
    about: 'Literal text in title or description, ignoring case.',
    excludes: true,
    condition: (text: string): TaskFilter => ({ text }),
  },
  /** By key of the metadata: one of these values as text, such as `5` or `true`. With several keys, all must match. */
  metadata: {
    many: false,
    value: { type: 'metadata' },
    about: 'With one of these values, as text, in a key of the metadata. With several keys, all must match.',
    excludes: true,
    condition: (given: Readonly<Record<string, readonly string[]>>, { indexes }: FilterFacts): readonly TaskFilter[] =>
      Object.entries(given).map(([key, texts]) => {
        const index = indexes.get(key);
        const indexed = index === undefined ? {} : { index };
        return { anyMetadata: texts.map((text): MetadataMatch => ({ key, text, ...indexed })) };
      }),
  },
  /** Without one of these keys of the metadata. */
  noMetadata: {
    many: true,
    value: { type: 'metadataKey' },
    about: 'Without one of these keys of the metadata.',
    excludes: false,
    condition: (keys: readonly string[]): TaskFilter => ({
      anyMetadata: keys.map((key): MetadataMatch => ({ key, text: null })),
    }),
  },
} as const satisfies Record<string, Filter>;

type FilterRows = typeof FILTERS;
export type FilterName = keyof FilterRows;
type FilterInput<Row> = Row extends Filter<infer Input> ? Input : never;
/** A mapped type keeps the doc comments of the rows. */
type Own = { readonly [Name in keyof FilterRows]?: FilterInput<FilterRows[Name]> };
type Excluded = {
  readonly [
    Name in keyof FilterRows as FilterRows[Name]['excludes'] extends true ? `exclude${Capitalize<Name>}` : never
  ]?: FilterInput<FilterRows[Name]>;
};

/** Filters of the task list, see {@link FILTERS}. `exclude` before the name of a filter negates it. */
export interface TaskFilters extends Own, Excluded {}

/** The name of the filter that negates this one; null if there is none. */
export function excludingName(name: FilterName): keyof Excluded | null {
  return FILTERS[name].excludes ? (`exclude${name[0]!.toUpperCase()}${name.slice(1)}` as keyof Excluded) : null;
}

/** The conditions by the names that an input has them under, made ready once. Their order decides which index is used. */
const CONDITIONS = (Object.keys(FILTERS) as FilterName[]).flatMap((name) => {
  const { condition }: Filter = FILTERS[name];
  const excluding = excludingName(name);
  const excluded: Filter['condition'] = (given, facts) => [condition(given, facts)].flat().map(negated);
  return excluding === null
    ? [[name, condition] as const]
    : [[name, condition] as const, [excluding, excluded] as const];
});

export function filtersOf(input: TaskFilters, facts: FilterFacts): TaskFilter[] {
  const filters: TaskFilter[] = [];
  for (const [name, condition] of CONDITIONS) {
    const given = input[name];
    if (given !== undefined) filters.push(...[condition(given as never, facts)].flat());
  }
  return filters;
}

function negated(filter: TaskFilter): TaskFilter {
  return { ...filter, not: !('not' in filter && filter.not) };
}

/** Whether the filters ask for tasks on templates: as such, or by what names a board, a column or single tasks. */
export function asksForTemplates(filters: TaskFilters): boolean {
  const { template, boardId, statusId, num, externalId, linkedTo } = filters;
  const parents = filters.parentTaskId?.filter((id) => id !== 'none');
  return template ?? [boardId, statusId, num, externalId, linkedTo, parents?.[0]].some((named) => named !== undefined);
}

/** Whether the filters select or exclude unassigned tasks. */
export function asksForUnassigned({ assigneeId = [], excludeAssigneeId = [] }: TaskFilters): boolean {
  return assigneeId.includes('none') || excludeAssigneeId.includes('none');
}
