import { unusable } from '../../core/kernel/errors.ts';
import { hasPosition, type TaskPosition } from '../../core/task/place/position.ts';
import type { CommandCall } from '../call.ts';
import { nullIfNotFound } from '../io/failure.ts';
import { taskColumns } from '../output/record/task.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { tryUpdate } from './lines/trial.ts';
import { namesIn, type ShownTask } from './names.ts';
import { dryRunNote, preview } from './preview.ts';
import { requireBoardShown } from './would-refuse.ts';

/** What a move sets on a task. */
export interface Placing extends TaskPosition {
  readonly boardId?: string;
  readonly statusId?: string;
}

/** Tells for one task after the other how it would be after its move. */
export class MovePreview {
  readonly #workspace: WorkspaceLookup;
  #moving = 0;
  /** The tasks that others are placed beside, as they would be then. */
  readonly #neighbours = new Map<string, ShownTask | null>();

  constructor(workspace: WorkspaceLookup) {
    this.#workspace = workspace;
  }

  /** @throws as the move would, as far as that can be checked without writing */
  async move<T extends ShownTask>(task: T, placing: Placing): Promise<T> {
    await tryUpdate(this.#workspace, task, placing, {});
    requireBoardShown(task, placing);
    const after = await preview(this.#workspace, task, placing);
    const { beforeTaskId, afterTaskId, statusOrderKey } = placing;
    const beside = beforeTaskId ?? afterTaskId;
    if (beside !== undefined && beside !== null) {
      const neighbour = await this.#neighbour(beside);
      if (neighbour === null || neighbour.id === task.id || neighbour.statusId !== after.statusId) {
        throw unusable(beforeTaskId === undefined ? 'afterTaskId' : 'beforeTaskId');
      }
    }
    this.#neighbours.set(task.id, after);
    const isPlaced = statusOrderKey === undefined ? hasPosition(placing) : statusOrderKey !== task.statusOrderKey;
    if (after.statusId !== task.statusId || isPlaced) this.#moving++;
    return after;
  }

  /** Prints the tasks in the order of their move. @param areSeveral false: one record for scripts, as of the move */
  async print({ out }: CommandCall, tasks: readonly ShownTask[], areSeveral: boolean): Promise<void> {
    const columns = taskColumns(await namesIn(this.#workspace, out.isForPeople ? tasks : []));
    if (areSeveral || out.isForPeople) await out.list(tasks, columns);
    else for (const task of tasks) out.record(task, columns);
    out.note(dryRunNote('moved', this.#moving, tasks.length));
  }

  async #neighbour(taskId: string): Promise<ShownTask | null> {
    const known = this.#neighbours.get(taskId);
    if (known !== undefined) return known;
    const { session, workspaceId } = this.#workspace;
    const found = await session.tasks.get({ workspaceId, taskId }).catch(nullIfNotFound);
    this.#neighbours.set(taskId, found);
    return found;
  }
}
