import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { assigneeIdOf } from '../task/assignment.ts';

/** An item of a checklist, as a viewer of the task reads it. */
export interface ChecklistItemView extends Pick<ChecklistItem, 'id' | 'text' | 'done'> {
  /** The assignee. Null: nobody. */
  readonly assigneeId: string | null;
}

export function checklistItemView(
  structure: Structure,
  { id, text, done, assigneeId }: ChecklistItem,
): ChecklistItemView {
  return { id, text, done, assigneeId: assigneeIdOf(structure, assigneeId) };
}
