import { mergedMetadata } from '../../core/model/metadata.ts';
import { unique } from '../../core/task/references.ts';
import type { CommandCall } from '../call.ts';
import { oneLine, safe } from '../io/safe-text.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { ExternalIds, NEW_TASK } from './external-ids.ts';
import type { LineDraft } from './lines/draft.ts';
import { tryCreate } from './lines/trial.ts';

/** `task create --dry-run`: prints the fields that a new task would have. @throws as the call that would create it */
export async function previewCreation(
  { out }: CommandCall,
  workspace: WorkspaceLookup,
  draft: LineDraft,
): Promise<void> {
  const status = await tryCreate(workspace, draft);
  await new ExternalIds(workspace).give(NEW_TASK, draft.externalId);
  const { name } = await workspace.boardView(draft.boardId);
  const fields = {
    title: draft.title.trim(),
    description: draft.description ?? '',
    boardId: draft.boardId,
    statusId: status.id,
    priority: draft.priority ?? 0,
    complete: draft.complete ?? status.done,
    dateStart: draft.plannedStartDate ?? null,
    dateEnd: draft.plannedEndDate ?? null,
    externalId: draft.externalId ?? null,
    metadata: mergedMetadata({}, draft.metadata),
    tags: unique(draft.tags ?? []),
    assignees: unique(draft.assignees ?? []),
    pageId: draft.pageId ?? null,
  };
  out.show(fields, () => safe`${oneLine(fields.title)}\nboard   ${oneLine(name)}\nstatus  ${oneLine(status.name)}\n`);
  out.note('Dry run: 1 task would be created.');
}
