import { metadataOf, metadataText } from '../metadata.ts';
import { linkedAs, type LinkEnd } from './task-links.ts';
import { seenWithoutBoard, type SortedField, type Task, type TASK_FIELDS, type TaskField } from './task.ts';

/** A task as a caller sees it: the fields of its board are null if only its own page is visible to them. */
export type SeenTask = Omit<Task, 'boardId' | 'statusId' | 'statusOrderKey'> & {
  /** Null if the caller may not see the board. */
  readonly boardId: string | null;
  /** Null if the caller may not see the board. */
  readonly statusId: string | null;
  /** Sort key in the status, unique there. Null if the caller may not see the board. */
  readonly statusOrderKey: number | null;
};

/** The tasks that a caller sees. A store applies it before filters, limits and counts. */
export interface TaskScope {
  /** Boards whose tasks are visible. */
  readonly boards: ReadonlySet<string>;
  /**
   * Tasks on boards in `boards` that their own page hides, or that were removed with it. Some may be purged already.
   */
  readonly hidden: ReadonlySet<string>;
  /** Tasks on other boards that are visible through their own page. */
  readonly withoutBoard: ReadonlySet<string>;
}

type OfKind<Kind extends string> = {
  [F in TaskField]: (typeof TASK_FIELDS)[F]['kind'] extends Kind ? F : never;
}[TaskField];
/** Fields with one value. The task's own id is not one: tasks are read by id, not filtered. */
export type ValueField = Exclude<OfKind<'id' | 'integer' | 'flag' | 'externalId'>, 'id'>;
/** Fields with a date or time, of which a filter takes a range. */
export type RangeField = OfKind<'date' | 'time'>;

/**
 * One condition. Conditions are joined by AND and apply to the task as seen. In `in`, null stands for "none". A range
 * is inclusive; a null date is in no range.
 */
export type TaskFilter =
  | { readonly field: ValueField; readonly in: readonly (string | number | boolean)[]; readonly not?: boolean }
  | {
      readonly field: 'tags' | 'assignees';
      readonly in: readonly (string | null)[];
      readonly not?: boolean;
      /** Values that count as none when `in` contains null. */
      readonly ended?: ReadonlySet<string>;
    }
  | { readonly field: RangeField; readonly from?: string; readonly to?: string }
  | { readonly text: string; readonly not?: boolean }
  /** One of these holds for its metadata. */
  | { readonly anyMetadata: readonly MetadataMatch[]; readonly not?: boolean }
  /** One of these tasks, or with `orWithout` one without such a link. */
  | { readonly ids: ReadonlySet<string>; readonly orWithout?: LinkEnd; readonly not?: boolean }
  /** `dateEnd` is before that day and the task is not complete. */
  | { readonly overdueOn: string; readonly not?: boolean }
  /** On one of these boards, or one of these tasks. */
  | { readonly onBoards: ReadonlySet<string>; readonly orTasks: ReadonlySet<string>; readonly not?: boolean };

/** The text of the value of one key, see `metadataText`; null: there is no such key. */
export interface MetadataMatch {
  /** The key. */
  readonly key: string;
  /** The text that its value is equal to; null: there is no such key. */
  readonly text: string | null;
  /** The id of an index that has all tasks with this key; absent: there is none. */
  readonly index?: string;
}

type SortField = SortedField | 'statusOrder' | 'statusId' | 'statusOrderKey' | 'id';

/** `statusOrder` is the `orderKey` of the task's status, from {@link TaskQuery.statusOrder}. */
export interface SortKey {
  /** What is compared. */
  readonly field: SortField;
  /** From the largest value down; null comes first then. */
  readonly descending: boolean;
}

/** What a task is sorted by: null sorts after every value, before it when descending. */
export type SortValue = string | number | null;

/** Which tasks are looked for, as who, and in which order. */
export interface TaskQuery {
  /** The id of the workspace. */
  readonly workspaceId: string;
  /** Null: every task of the workspace, for internal use only: no caller sees the result. */
  readonly scope: TaskScope | null;
  /** A task has to pass all of them; none: every task in scope. */
  readonly filters: readonly TaskFilter[];
  /** The last key is always `id`, so the order is total. Null sorts after every value, before it when descending. */
  readonly sort: readonly SortKey[];
  /**
   * `orderKey` by status id, of all boards that are in scope and pass the filters; present if `sort` has `statusOrder`.
   */
  readonly statusOrder?: ReadonlyMap<string, number>;
  /** The sort values of the last task of the previous slice; the result starts after it. */
  readonly after: readonly SortValue[] | null;
  /** The most tasks of the answer. */
  readonly limit: number;
}

/** Which tasks a query matches, in any order. */
export type TaskConditions = Pick<TaskQuery, 'scope' | 'filters'>;

/** Whether the sort is by column, then by position in the column. */
export function isByColumn({ sort }: Pick<TaskQuery, 'sort'>): boolean {
  const [first, second, third] = sort.map(({ field }) => field);
  return first === 'statusOrder' && second === 'statusId' && third === 'statusOrderKey';
}

/** The distinct ids of the first positive filter on this field; null when there is none. */
export function idsNamed(filters: readonly TaskFilter[], field: 'boardId' | 'statusId'): string[] | null {
  for (const filter of filters) {
    if ('in' in filter && filter.field === field && filter.not !== true) return [...new Set(filter.in.map(String))];
  }
  return null;
}

/** Whether a filter is by board or status, by which tasks are counted. */
export function isByBoardOrStatus(filter: TaskFilter): boolean {
  return 'in' in filter && (filter.field === 'boardId' || filter.field === 'statusId');
}

/** Whether the caller of a scope sees the task. O(1). */
export function inScope(task: Task, scope: TaskScope): boolean {
  return scope.boards.has(task.boardId) ? !scope.hidden.has(task.id) : scope.withoutBoard.has(task.id);
}

/** Where a task stands, to those who do not see its board. */
export const NO_PLACE = { boardId: null, statusId: null, statusOrderKey: null } as const;

/** A task in scope as the caller sees it: filters and sort keys are about this. Null: as it is stored. */
export function asSeen(task: Task, scope: TaskScope | null): SeenTask {
  if (scope === null || scope.boards.has(task.boardId)) return task;
  const { boardEdits: _, ...shown } = task;
  return { ...shown, ...seenWithoutBoard(task), ...NO_PLACE, tags: [] };
}

/** Whether a task, as seen, passes all filters. For many tasks, filter by one call each: O(filters + text). */
export function matches(task: SeenTask, filters: readonly TaskFilter[]): boolean {
  return compileFilters(filters)(task);
}

type Test = (task: SeenTask) => boolean;

/** A predicate made once for many tasks. O(filters + text) per task. */
export function compileFilters(filters: readonly TaskFilter[]): Test {
  const tests = filters.map((filter): Test => {
    const test = testOf(filter);
    return 'not' in filter && filter.not ? (task) => !test(task) : test;
  });
  return (task) => tests.every((test) => test(task));
}

/** The test of a filter without its negation. */
function testOf(filter: TaskFilter): Test {
  if ('text' in filter) {
    const text = foldCase(filter.text);
    return ({ title, description }) => foldCase(title).includes(text) || foldCase(description).includes(text);
  }
  if ('overdueOn' in filter) {
    const { overdueOn } = filter;
    return ({ dateEnd, complete }) => dateEnd !== null && dateEnd < overdueOn && !complete;
  }
  if ('onBoards' in filter) {
    const { onBoards, orTasks } = filter;
    return ({ boardId, id }) => (boardId !== null && onBoards.has(boardId)) || orTasks.has(id);
  }
  if ('anyMetadata' in filter) {
    const { anyMetadata } = filter;
    return (task) => anyMetadata.some((match) => hasMetadata(task, match));
  }
  if ('ids' in filter) {
    const { ids, orWithout } = filter;
    if (orWithout === undefined) return ({ id }) => ids.has(id);
    return (task) => ids.has(task.id) || linkedAs(task, orWithout).length === 0;
  }
  if (!('in' in filter)) {
    const { field, from, to } = filter;
    return (task) => {
      const value = task[field];
      return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
    };
  }
  if (filter.field === 'tags' || filter.field === 'assignees') {
    const { field, ended } = filter;
    const wanted = new Set<string | null>(filter.in);
    const wantsNone = wanted.has(null);
    return (task) => {
      const values = task[field];
      return (wantsNone && values.every((value) => ended?.has(value))) || values.some((value) => wanted.has(value));
    };
  }
  const { field } = filter;
  const wanted = new Set<unknown>(filter.in);
  return (task) => wanted.has(task[field]);
}

function hasMetadata(task: SeenTask, { key, text }: MetadataMatch): boolean {
  const metadata = metadataOf(task);
  return Object.hasOwn(metadata, key) ? metadataText(metadata[key]!) === text : text === null;
}

/**
 * Folds case, for comparisons that ignore it. The lower case of a sigma depends on whether it ends a word. Folding
 * makes both forms equal, so that part of a word is found in the word.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase();
  return folded.includes('ς') ? folded.replaceAll('ς', 'σ') : folded;
}

/** What a task, as seen, is sorted by: a value for each key of the query. */
export function sortValues(task: SeenTask, query: Pick<TaskQuery, 'sort' | 'statusOrder'>): SortValue[] {
  return query.sort.map(({ field }) => {
    if (field !== 'statusOrder') return task[field];
    return task.statusId === null ? null : (query.statusOrder?.get(task.statusId) ?? null);
  });
}

/**
 * Negative where `a` comes before `b` in this sort, 0 where they are equal. Strings compare by code units, as they do in
 * every index.
 */
export function compareSortValues(a: readonly SortValue[], b: readonly SortValue[], sort: readonly SortKey[]): number {
  for (const [i, { descending }] of sort.entries()) {
    const order = compareValues(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
