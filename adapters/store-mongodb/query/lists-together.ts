import { addToList } from '../../../core/kernel/group.ts';
import { slicesOf } from '../../../core/kernel/slices.ts';
import type { Doc, Query } from './query.ts';

/** Lists that differ in the value of one field, such as the comments of several tasks, and the query that finds them all. */
export interface ListsTogether {
  readonly field: string;
  readonly lists: readonly Query[];
  readonly query: Query;
}

/** The most lists of one query, which may read this many times their limit. */
const MOST_TOGETHER = 50;

/** Groups the queries that can be sent as one. */
export function listsTogether(queries: readonly Query[]): readonly ListsTogether[] {
  const alike = new Map<string, Query[]>();
  for (const query of queries) {
    const field = fieldOf(query);
    if (field === null) continue;
    const { from, workspaceId, sort, limit } = query;
    addToList(alike, JSON.stringify([from, workspaceId, field, sort, limit]), query);
  }
  const groups = [...alike.values()].flatMap((lists) => [...slicesOf(lists, MOST_TOGETHER)]);
  return groups.filter(({ length }) => length > 1).map(together);
}

/** The answer to each list; null if documents may be missing, so that each list needs a query of its own. */
export function answersIn(
  { field, lists, query }: ListsTogether,
  found: readonly Doc[],
): ReadonlyMap<Query, readonly Doc[]> | null {
  if (found.length >= query.limit! || found.some((doc) => typeof doc[field] !== 'string')) return null;
  const byValue = new Map<unknown, Doc[]>();
  for (const doc of found) addToList(byValue, doc[field], doc);
  return new Map(lists.map((list) => [list, (byValue.get(valueOf(list, field)) ?? []).slice(0, list.limit)]));
}

/** The only field by which a list is selected; null for any other query. */
function fieldOf({ filter, one, project, stagesBefore, stagesAfter, next, limit, sort }: Query): string | null {
  const [field, ...others] = Object.keys(filter);
  const isPlain = one === undefined && project === undefined && next === undefined;
  const isList = limit !== undefined && sort !== undefined && stagesBefore === undefined && stagesAfter === undefined;
  if (!isPlain || !isList || field === undefined || others.length > 0) return null;
  return typeof valueOf({ filter }, field) === 'string' ? field : null;
}

function valueOf({ filter }: Pick<Query, 'filter'>, field: string): unknown {
  return (filter[field] as { readonly $eq?: unknown } | null | undefined)?.$eq;
}

function together(lists: readonly Query[]): ListsTogether {
  const [first] = lists as readonly [Query, ...Query[]];
  const field = fieldOf(first)!;
  const values = [...new Set(lists.map((list) => valueOf(list, field)))];
  const sort = first.sort!;
  // In the order of the index, which has the field first.
  const inOrder = { [field]: Object.values(sort)[0]!, ...sort };
  const query = {
    ...first,
    filter: { [field]: { $in: values } },
    sort: inOrder,
    limit: first.limit! * values.length + 1,
  };
  return { field, lists, query };
}
