import type { Viewer } from '../../access/viewer.ts';
import { timestamp } from '../../kernel/record.ts';
import type { TaskFilter } from '../../model/content/task-query.ts';
import type { Workspace } from '../../model/workspace/workspace.ts';
import { asksForLinks, linkFacts } from '../../link/filter-facts.ts';
import type { Context } from '../../ports/context.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { assignmentNow } from '../assignment.ts';
import { type FilterFacts, filtersOf, type TaskFilters } from './filters.ts';
import type { ListedTasks } from './scope.ts';

const NO_INDEXES: ReadonlyMap<string, string> = new Map();

function builtIndexes({ metadataIndexes }: Workspace): ReadonlyMap<string, string> {
  if (metadataIndexes === undefined) return NO_INDEXES;
  return new Map(metadataIndexes.flatMap(({ key, id, built }) => (built ? [[key, id] as const] : [])));
}

const NO_TASKS: FilterFacts['named'] = new Map();
const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The conditions of the filters that a viewer gives. Only filters by links take reads.
 *
 * @param ended see `FilterFacts`
 * @throws `too-many` if a filter by `blocked` has more than 10,000 tasks to look at
 */
export async function conditionsOf(
  tx: ReadTransaction,
  context: Pick<Context, 'clock'>,
  viewer: Viewer,
  input: TaskFilters,
  { scope, templates }: ListedTasks,
  ended: ReadonlySet<string>,
): Promise<TaskFilter[]> {
  const facts: FilterFacts = {
    me: viewer.member.id,
    today: timestamp(context).slice(0, 10),
    assignmentOf: (memberId) => assignmentNow(viewer.structure, memberId),
    ended,
    templates,
    indexes: builtIndexes(viewer.structure.workspace),
    named: NO_TASKS,
    blocked: NO_IDS,
  };
  return filtersOf(input, asksForLinks(input) ? await linkFacts(tx, viewer, scope, input, facts) : facts);
}
