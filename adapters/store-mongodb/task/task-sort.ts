import type { Document } from 'mongodb';
import type { SortKey, SortValue, TaskQuery } from '../../../core/model/content/task-query.ts';
import { allOf, follows, type Query } from '../query/query.ts';
import { NO_DATE, TASK_EXTRAS, unitOrder } from '../query/documents.ts';

interface Column {
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

/** Tasks that match, sorted by the server or by an index. Null when none can follow the last one of the previous page. */
export function querySorted(query: TaskQuery, filter: Document): Query | null {
  const after = behind(query);
  if (after === null) return null;
  const common = { from: 'tasks', sort: sortOf(query), limit: query.limit, workspaceId: query.workspaceId } as const;
  const computed = computedFor(query);
  if (computed.length > 0) {
    const project = { ...TASK_EXTRAS, [ORDER]: 0 } as const;
    return { ...common, filter, stagesBefore: [...computed, { $match: after }], project };
  }
  return { ...common, filter: allOf([filter, beginning(query), after]), project: TASK_EXTRAS };
}

/** The sort of the server, up to the first key that is unique. */
function sortOf(query: Pick<TaskQuery, 'sort'>): Readonly<Record<string, 1 | -1>> {
  return Object.fromEntries(columns(query.sort).map(({ path, descending }) => [path, descending ? -1 : 1]));
}

/** Stages that compute sort keys that are not stored. */
function computedFor({ sort, statusOrder }: Pick<TaskQuery, 'sort' | 'statusOrder'>): Document[] {
  if (!columns(sort).some(({ path }) => path === ORDER)) return [];
  const statuses = [...(statusOrder ?? new Map<string, number>())];
  const ids = { $literal: statuses.map(([id]) => id) };
  const orders = { $literal: statuses.map(([, order]) => order) };
  const place = { $indexOfArray: [ids, '$statusId'] };
  const order = { $cond: [{ $gte: ['$$place', 0] }, { $arrayElemAt: [orders, '$$place'] }, NO_ORDER] };
  return [{ $set: { [ORDER]: { $let: { vars: { place }, in: order } } } }];
}

/** The condition for tasks after the last one of the previous page; null when there can be none. */
function behind({ sort, after }: Pick<TaskQuery, 'sort' | 'after'>): Document | null {
  if (after === null) return {};
  return follows(columns(sort).map(({ value, place, ...order }) => ({ ...order, value: value(after[place] ?? null) })));
}

/** A bound for the index of the first sort key. */
function beginning({ sort, after }: Pick<TaskQuery, 'sort' | 'after'>): Document {
  const [first] = columns(sort);
  const stored = after === null ? undefined : first?.value(after[0] ?? null);
  if (first === undefined || stored === undefined || first.path === ORDER) return {};
  return { [first.path]: first.descending ? { $lte: stored } : { $gte: stored } };
}

function columns(sort: readonly SortKey[]): Column[] {
  const found: Column[] = [];
  for (const [place, { field, descending }] of sort.entries()) {
    const path = PATHS[field];
    if (found.some((other) => other.path === path)) continue;
    found.push({ place, path, descending, value: VALUES[field] ?? plain });
    if (field === 'num' || field === 'id') break;
  }
  return found;
}

const PATHS: Readonly<Record<SortKey['field'], string>> = {
  num: 'num',
  title: 'order.title',
  priority: 'priority',
  dateStart: 'order.dateStart',
  dateEnd: 'order.dateEnd',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  statusOrder: ORDER,
  statusId: 'statusId',
  statusOrderKey: 'statusOrderKey',
  id: '_id',
};

const VALUES: Partial<Record<SortKey['field'], Column['value']>> = {
  title: (given) => (typeof given === 'string' ? unitOrder(given) : undefined),
  dateStart: (given) => given ?? NO_DATE,
  dateEnd: (given) => given ?? NO_DATE,
  statusOrder: (given) => given ?? NO_ORDER,
};

function plain(given: SortValue): string | number | undefined {
  return given ?? undefined;
}
