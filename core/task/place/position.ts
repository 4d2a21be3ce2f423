import { VIEW } from '../../model/access/level.ts';
import { levelOnTask, type Viewer } from '../../access/viewer.ts';
import { invalid, unusable } from '../../kernel/errors.ts';
import type { Task } from '../../model/content/task.ts';
import type { ReadTransaction } from '../../ports/store.ts';

/** A position in a status. */
export type Position =
  | { readonly at: 'end' }
  | { readonly at: 'start' }
  | { readonly at: 'key'; readonly key: number }
  | { readonly at: 'before' | 'after'; readonly task: Task };

/** Where a task is put for which none is given. */
export const AT_END: Position = { at: 'end' };

/** The position of a task in its status as given by a caller: at most one of these. */
export interface TaskPosition {
  /** The sort key, within +-2^52. If it is taken, the tasks from this key to the next gap move up. */
  readonly statusOrderKey?: number;
  /** Before this task of the same status; null: at the end. */
  readonly beforeTaskId?: string | null;
  /** After this task of the same status; null: at the start. */
  readonly afterTaskId?: string | null;
}

const NAMES = ['statusOrderKey', 'beforeTaskId', 'afterTaskId'] as const;

export function hasPosition(position: TaskPosition): boolean {
  return NAMES.some((name) => position[name] !== undefined);
}

/** The id of the task that is named to stand beside; null where none is named. */
export function neighbourIdOf({
  beforeTaskId,
  afterTaskId,
}: Pick<TaskPosition, 'beforeTaskId' | 'afterTaskId'>): string | null {
  return beforeTaskId ?? afterTaskId ?? null;
}

/** The task that is named to stand beside; null where none is named or there. */
export async function neighbourOf(
  tx: ReadTransaction,
  workspaceId: string,
  placing: Pick<TaskPosition, 'beforeTaskId' | 'afterTaskId'>,
): Promise<Task | null> {
  const id = neighbourIdOf(placing);
  return id === null ? null : tx.tasks.get(workspaceId, id);
}

/** As {@link positionAt}, which it reads the neighbour for. */
export async function readPosition(
  tx: ReadTransaction,
  viewer: Viewer,
  placing: TaskPosition,
  statusId: string,
): Promise<Position> {
  const neighbour = await neighbourOf(tx, viewer.structure.workspace.id, placing);
  return positionAt(viewer, placing, statusId, neighbour);
}

/**
 * @param statusId the status it goes into
 * @param neighbour see {@link neighbourOf}
 * @param moving the task that is placed, when it exists already
 * @throws `invalid-input` for more than one of them
 * @throws `unusable-reference` for a task that is hidden, missing or in another status
 */
export function positionAt(
  viewer: Viewer,
  placing: TaskPosition,
  statusId: string,
  neighbour: Task | null,
  moving?: string,
): Position {
  const given = NAMES.filter((name) => placing[name] !== undefined);
  if (given.length > 1) throw invalid(`/${given[1]}`, `must not be combined with ${given[0]}`);
  if (placing.statusOrderKey !== undefined) return { at: 'key', key: placing.statusOrderKey };
  if (placing.beforeTaskId === null) return AT_END;
  if (placing.afterTaskId === null) return { at: 'start' };
  const [name] = given;
  if (name === undefined) return AT_END;
  const isBeside =
    neighbour !== null &&
    neighbour.id !== moving &&
    levelOnTask(viewer, neighbour) >= VIEW &&
    neighbour.statusId === statusId;
  if (!isBeside) throw unusable(name);
  return { at: name === 'beforeTaskId' ? 'before' : 'after', task: neighbour };
}
