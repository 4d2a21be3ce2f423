import { sameJson } from '../../kernel/partial-update.ts';
import type { FieldValues } from '../../kernel/record.ts';
import type { ChangeKind } from '../../model/log/change.ts';
import type { Task } from '../../model/content/task.ts';
import { linkedAs } from '../../model/content/task-links.ts';

/** A record of any kind. */
export interface JournaledRecord {
  readonly id: string;
  readonly version: number;
}

/** Fields that change with every update, are derived from other records, or that nobody reads. */
const UNNAMED_FIELDS = new Set([
  'version',
  'updatedAt',
  'boardEdits',
  'commentCount',
  'checklistTotal',
  'checklistDone',
  'membership',
  'leftAt',
]);

/** Fields that a record may lose. */
const OPTIONAL = ['metadata', 'template'] as const;

/** The name under which a field is read: `orderKey` of a page is read as its index, indexes of metadata as their keys. */
function nameOf(kind: ChangeKind, field: string): string {
  if (kind === 'page' && field === 'orderKey') return 'orderIndex';
  return field === 'metadataIndexes' ? 'indexedMetadata' : field;
}

const NO_FIELDS: readonly string[] = [];

/** Shared lists of one name: a store in memory keeps one for each change. */
const listsOfOne = new Map<string, readonly string[]>();

/** A list that takes no more memory than it needs: one that has grown has room for sixteen more. */
export function compact(fields: readonly string[]): readonly string[] {
  const [first] = fields;
  if (first === undefined) return NO_FIELDS;
  if (fields.length > 1) return fields.slice();
  let known = listsOfOne.get(first);
  if (known === undefined) listsOfOne.set(first, (known = [first]));
  return known;
}

/** The names, as the record is read, of the fields that differ. O(fields). */
export function changedFields(kind: ChangeKind, before: JournaledRecord, after: JournaledRecord): string[] {
  const fields: string[] = [];
  const [old, now] = [before, after] as unknown as [FieldValues, FieldValues];
  for (const field in now) {
    // Each write compares all fields: an array for each pair would be most of what it allocates.
    const was = old[field];
    const is = now[field];
    if (was !== is && !UNNAMED_FIELDS.has(field) && !sameJson(was, is)) fields.push(nameOf(kind, field));
  }
  for (const field of OPTIONAL) if (field in before && !(field in after)) fields.push(field);
  if (kind === 'task') addLinkFields(before as Task & JournaledRecord, after as Task & JournaledRecord, fields);
  return fields;
}

/** The parent of a task is read as a field of its own, besides its links. */
function addLinkFields(before: Task, after: Task, fields: string[]): void {
  if (before.links === after.links) return;
  if (after.links === undefined) fields.push('links');
  if (linkedAs(before, 'parent')[0] !== linkedAs(after, 'parent')[0]) fields.push('parentTaskId');
}
