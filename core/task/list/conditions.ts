import type { Viewer } from '../../access/viewer.ts';
import { timestamp } from '../../kernel/record.ts';
import type { TaskFilter } from '../../model/content/task-query.ts';
import type { Workspace } from '../../model/workspace/workspace.ts';
import type { Context } from '../../ports/context.ts';
import { assignmentNow } from '../assignment.ts';
import { filtersOf, type TaskFilters, type TemplateContents } from './filters.ts';

const NO_INDEXES: ReadonlyMap<string, string> = new Map();

function builtIndexes({ metadataIndexes }: Workspace): ReadonlyMap<string, string> {
  if (metadataIndexes === undefined) return NO_INDEXES;
  return new Map(metadataIndexes.flatMap(({ key, id, built }) => (built ? [[key, id] as const] : [])));
}

/** The conditions of the filters that a viewer gives. @param ended, templates see `FilterFacts` */
export function conditionsOf(
  context: Pick<Context, 'clock'>,
  viewer: Viewer,
  input: TaskFilters,
  ended: ReadonlySet<string>,
  templates: TemplateContents,
): TaskFilter[] {
  return filtersOf(input, {
    me: viewer.member.id,
    today: timestamp(context).slice(0, 10),
    assignmentOf: (memberId) => assignmentNow(viewer.structure, memberId),
    ended,
    templates,
    indexes: builtIndexes(viewer.structure.workspace),
  });
}
