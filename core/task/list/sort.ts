import type { SortKey } from '../../model/content/task-query.ts';
import { SORTED_FIELDS } from '../../model/content/task.ts';

const NAMES = [...SORTED_FIELDS, 'position'] as const;

type SortName = (typeof NAMES)[number];

/** A field to sort by, with `-` for descending. `position`: by column, then by sort key in it. */
export type TaskSort = SortName | `-${SortName}`;

export const TASK_SORTS: readonly TaskSort[] = NAMES.flatMap((name): TaskSort[] => [name, `-${name}`]);

/** The sort keys, with the id as the last. Columns of equal `orderKey` are kept apart by their ids. */
export function sortOf(names: readonly TaskSort[]): SortKey[] {
  const keys = names.flatMap((name): SortKey[] => {
    const descending = name.startsWith('-');
    const field = (descending ? name.slice(1) : name) as SortName;
    if (field !== 'position') return [{ field, descending }];
    return (['statusOrder', 'statusId', 'statusOrderKey'] as const).map((part) => ({ field: part, descending }));
  });
  return [...keys, { field: 'id', descending: false }];
}
