import type { Document } from 'mongodb';
import { metadataText, type MetadataValue } from '../../../core/model/metadata.ts';
import {
  foldCase,
  idsNamed,
  isByBoardOrStatus,
  type MetadataMatch,
  type SortKey,
  type SortValue,
  type TaskFilter,
  type TaskConditions,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import { valueBefore } from '../../../core/model/content/task.ts';
import { indexedValue, NO_DATE, WITHOUT_DERIVED, unitOrder } from '../query/documents.ts';
import { allOf, follows, type Query } from '../query/query.ts';

/** The conditions for tasks of visible boards; null when no board is. These tasks are shown with all their fields. */
export function visibleTasks({ scope, filters }: TaskConditions): Document | null {
  const all: Document[] = filters.map(conditionOf);
  if (scope !== null) {
    const boards = boardsOf(scope.boards, filters);
    if (boards.length === 0) return null;
    all.push({ boardId: { $in: boards } });
    if (scope.hidden.size > 0) all.push({ _id: { $nin: [...scope.hidden] } });
  }
  return allOf(all);
}

/** The conditions for tasks visible through their own page alone, which are shown without board, status and tags. */
export function withoutBoardFilter({ scope, filters }: TaskConditions): Document | null {
  if (scope === null || scope.withoutBoard.size === 0) return null;
  const all: Document[] = [{ _id: { $in: [...scope.withoutBoard] } }];
  for (const filter of filters) {
    if ('in' in filter && isByBoardOrStatus(filter)) {
      if (filter.not !== true) return null;
    } else if ('in' in filter && filter.field === 'tags') {
      if (filter.in.includes(null) === (filter.not ?? false)) return null;
    } else if ('onBoards' in filter) all.push(negated(filter, { _id: { $in: [...filter.orTasks] } }));
    else if ('field' in filter && filter.field === 'updatedAt') all.push(seenAloneIn(filter));
    else all.push(conditionOf(filter));
  }
  return allOf(all);
}

const IS_OF_BOARD = { $eq: ['$boardEdits.version', '$version'] };
/** The `updatedAt` that a task seen without its board is shown with, see `seenWithoutBoard`. */
const SEEN_ALONE = { $cond: [IS_OF_BOARD, '$boardEdits.updatedAt', '$updatedAt'] };

/**
 * A stage that computes the sort values of such tasks. No index is in this order, so the tasks are looked up by their
 * ids.
 */
export const AS_SEEN_WITHOUT_BOARD = { $set: { updatedAt: SEEN_ALONE } };

function seenAloneIn({ from, to }: Extract<TaskFilter, { from?: string }>): Document {
  const bounds = [
    ...(from === undefined ? [] : [{ $gte: [SEEN_ALONE, { $literal: from }] }]),
    ...(to === undefined ? [] : [{ $lte: [SEEN_ALONE, { $literal: to }] }]),
  ];
  return { $expr: { $and: bounds } };
}

/** The visible boards, or those of them that a filter names: fewer ids in the query. */
export function boardsOf(visible: ReadonlySet<string>, filters: readonly TaskFilter[]): string[] {
  return idsNamed(filters, 'boardId')?.filter((id) => visible.has(id)) ?? [...visible];
}

/** The condition of a filter on stored tasks. */
export function conditionOf(filter: TaskFilter): Document {
  if ('text' in filter)
    return negated(filter, { $expr: { $or: [holds('title', filter.text), holds('description', filter.text)] } });
  if ('overdueOn' in filter) {
    return negated(filter, { dateEnd: { $lt: filter.overdueOn }, complete: { $eq: false } });
  }
  if ('onBoards' in filter) {
    const { onBoards, orTasks } = filter;
    return negated(filter, { $or: [{ boardId: { $in: [...onBoards] } }, { _id: { $in: [...orTasks] } }] });
  }
  if ('anyMetadata' in filter) {
    const indexed = indexedValues(filter);
    if (indexed !== null && filter.not !== true) return { indexed: { $in: indexed } };
    return negated(filter, anyOf(filter.anyMetadata.map(metadataCondition)));
  }
  if ('ids' in filter) return linkedCondition(filter);
  if (!('in' in filter)) {
    const { from, to } = filter;
    if (from === undefined && to === undefined) return { [filter.field]: { $ne: null } };
    return {
      [filter.field]: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) },
    };
  }
  if (filter.field === 'tags' || filter.field === 'assignees') {
    const values = filter.in.filter((value) => value !== null);
    const any: Document[] = [{ [filter.field]: { $in: values } }];
    if (values.length < filter.in.length) {
      any.push({ [filter.field]: { $eq: [] } });
      const ended = [...(filter.ended ?? [])];
      if (ended.length > 0) any.push({ [filter.field]: { $in: ended, $not: { $elemMatch: { $nin: ended } } } });
    }
    return negated(filter, any.length === 1 ? (any[0] as Document) : { $or: any });
  }
  const values: (string | number | boolean | null)[] = [...filter.in];
  // Documents from before the field was added lack it, which the server treats as null.
  if (values.some((value) => value === valueBefore(filter.field))) values.push(null);
  return { [filter.field]: filter.not === true ? { $nin: values } : { $in: values } };
}

function linkedCondition({ ids, orWithout, not = false }: Extract<TaskFilter, { ids: unknown }>): Document {
  const named = { _id: { [not ? '$nin' : '$in']: [...ids] } };
  if (orWithout === undefined) return named;
  const linked = `links.${orWithout}`;
  // The same condition as that of the partial index of blocked tasks.
  return not ? { $and: [named, { [linked]: { $gt: '' } }] } : { $or: [named, { [linked]: { $exists: false } }] };
}

/** The values in the index of metadata by which matching tasks are found; null if the index does not suffice. */
export function indexedValues({ anyMetadata }: Extract<TaskFilter, { anyMetadata: unknown }>): string[] | null {
  const values: string[] = [];
  for (const { text, index } of anyMetadata) {
    if (text === null || index === undefined) return null;
    values.push(indexedValue(index, text));
  }
  return values;
}

function anyOf(conditions: Document[]): Document {
  return conditions.length === 0 ? { _id: { $in: [] } } : { $or: conditions };
}

function metadataCondition({ key, text }: MetadataMatch): Document {
  if (text === null) return { 'metadata.k': { $ne: key } };
  return { metadata: { $elemMatch: { k: { $eq: key }, v: { $in: valuesOf(text) } } } };
}

/** The values that have that text. */
function valuesOf(text: string): MetadataValue[] {
  const number = Number(text);
  const values: MetadataValue[] = [text];
  if (Number.isFinite(number) && metadataText(number) === text) values.push(number);
  if (text === 'true' || text === 'false') values.push(text === 'true');
  return values;
}

function negated({ not }: { readonly not?: boolean }, condition: Document): Document {
  return not === true ? { $nor: [condition] } : condition;
}

/** Whether a field contains a text, both case-folded. Compared by bytes, so that no character acts as a pattern. */
function holds(field: 'title' | 'description', text: string): Document {
  const folded = foldCase(text);
  const stored = `$text.${field}`;
  // Older documents may contain the final form of the letter sigma.
  const input = folded.includes('σ') ? { $replaceAll: { input: stored, find: 'ς', replacement: 'σ' } } : stored;
  return { $gte: [{ $indexOfBytes: [input, { $literal: folded }] }, 0] };
}

interface SortColumn {
  /** Position among the sort keys. */
  readonly place: number;
  readonly path: string;
  readonly descending: boolean;
  /** The stored or computed value for a sort value; undefined: no document has it. */
  readonly value: (given: SortValue) => string | number | undefined;
}

const ORDER = 'statusOrder';
/** A status without a position sorts after all others. */
const NO_ORDER = Infinity;

/**
 * The query for matching tasks, sorted by the server or by an index. Null if none can follow the last task of the
 * previous page.
 *
 * @param stages stages that compute the sort values
 */
export function querySorted(query: TaskQuery, filter: Document, stages: readonly Document[] = []): Query | null {
  const after = following(query);
  if (after === null) return null;
  const common = { from: 'tasks', sort: sortOf(query), limit: query.limit, workspaceId: query.workspaceId } as const;
  const computed = [...stages, ...computedFor(query)];
  if (computed.length > 0) {
    const project = { ...WITHOUT_DERIVED, [ORDER]: 0 } as const;
    return { ...common, filter, stagesBefore: [...computed, { $match: after }], project };
  }
  return { ...common, filter: allOf([filter, beginning(query), after]), project: WITHOUT_DERIVED };
}

/** The sort of the server, up to the first key that is unique. */
function sortOf(query: Pick<TaskQuery, 'sort'>): Readonly<Record<string, 1 | -1>> {
  return Object.fromEntries(sortColumns(query.sort).map(({ path, descending }) => [path, descending ? -1 : 1]));
}

/** Stages that compute sort keys that are not stored. */
function computedFor({ sort, statusOrder }: Pick<TaskQuery, 'sort' | 'statusOrder'>): Document[] {
  if (!sortColumns(sort).some(({ path }) => path === ORDER)) return [];
  const statuses = [...(statusOrder ?? new Map<string, number>())];
  const ids = { $literal: statuses.map(([id]) => id) };
  const orders = { $literal: statuses.map(([, order]) => order) };
  const place = { $indexOfArray: [ids, '$statusId'] };
  const order = { $cond: [{ $gte: ['$$place', 0] }, { $arrayElemAt: [orders, '$$place'] }, NO_ORDER] };
  return [{ $set: { [ORDER]: { $let: { vars: { place }, in: order } } } }];
}

/** The condition for tasks after the last one of the previous page; null when there can be none. */
function following({ sort, after }: Pick<TaskQuery, 'sort' | 'after'>): Document | null {
  if (after === null) return {};
  return follows(
    sortColumns(sort).map(({ value, place, ...order }) => ({ ...order, value: value(after[place] ?? null) })),
  );
}

/** A bound for the index of the first sort key. */
function beginning({ sort, after }: Pick<TaskQuery, 'sort' | 'after'>): Document {
  const [first] = sortColumns(sort);
  const stored = after === null ? undefined : first?.value(after[0] ?? null);
  if (first === undefined || stored === undefined || first.path === ORDER) return {};
  return { [first.path]: first.descending ? { $lte: stored } : { $gte: stored } };
}

function sortColumns(sort: readonly SortKey[]): SortColumn[] {
  const found: SortColumn[] = [];
  for (const [place, { field, descending }] of sort.entries()) {
    const column = { place, descending, path: field, value: asStored, ...STORED[field] };
    if (found.some(({ path }) => path === column.path)) continue;
    found.push(column);
    if (field === 'num' || field === 'id') break;
  }
  return found;
}

/** Sort keys that are stored under another name than that of the field, or in another form. */
const STORED: Partial<Record<SortKey['field'], Partial<Pick<SortColumn, 'path' | 'value'>>>> = {
  title: { path: 'order.title', value: (given) => (typeof given === 'string' ? unitOrder(given) : undefined) },
  dateStart: { path: 'order.dateStart', value: (given) => given ?? NO_DATE },
  dateEnd: { path: 'order.dateEnd', value: (given) => given ?? NO_DATE },
  statusOrder: { path: ORDER, value: (given) => given ?? NO_ORDER },
  id: { path: '_id' },
};

function asStored(given: SortValue): string | number | undefined {
  return given ?? undefined;
}
