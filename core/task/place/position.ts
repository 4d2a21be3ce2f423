import { VIEW } from '../../model/level.ts';
import { levelOnTask, type Viewer } from '../../access/viewer.ts';
import { invalid, unusable } from '../../kernel/errors.ts';
import type { Task } from '../../model/task.ts';
import type { ReadTransaction } from '../../ports/store.ts';

/** A position in a status. */
export type Position =
  | { readonly at: 'end' }
  | { readonly at: 'start' }
  | { readonly at: 'key'; readonly key: number }
  | { readonly at: 'before' | 'after'; readonly task: Task };

/** The position of a task in its status as given by a caller: at most one of these. */
export interface Placing {
  /** Sort key within +-2^52. If it is taken, tasks from it on move up to the next gap. */
  readonly statusOrderKey?: number;
  /** Before this task of the same status; null: at the end. */
  readonly beforeTaskId?: string | null;
  /** After this task of the same status; null: at the start. */
  readonly afterTaskId?: string | null;
}

const NAMES = ['statusOrderKey', 'beforeTaskId', 'afterTaskId'] as const;

export function isPlaced(placing: Placing): boolean {
  return NAMES.some((name) => placing[name] !== undefined);
}

/**
 * @param statusId the target status
 * @param moving the task that is placed, if it exists already
 * @throws `invalid-input` for more than one of them
 * @throws `unusable-reference` for a task that is hidden, missing or in another status
 */
export async function positionOf(
  tx: ReadTransaction,
  viewer: Viewer,
  placing: Placing,
  statusId: string,
  moving?: string,
): Promise<Position> {
  const given = NAMES.filter((name) => placing[name] !== undefined);
  if (given.length > 1) throw invalid(`/${given[1]}`, `goes without ${given[0]}`);
  if (placing.statusOrderKey !== undefined) return { at: 'key', key: placing.statusOrderKey };
  if (placing.beforeTaskId === null) return { at: 'end' };
  if (placing.afterTaskId === null) return { at: 'start' };
  const [name] = given;
  if (name === undefined) return { at: 'end' };
  const other = await tx.tasks.get(viewer.structure.workspace.id, placing[name] as string);
  if (other === null || other.id === moving || levelOnTask(viewer, other) < VIEW || other.statusId !== statusId) {
    throw unusable(name);
  }
  return { at: name === 'beforeTaskId' ? 'before' : 'after', task: other };
}
