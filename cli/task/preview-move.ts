import { EspalierError, unusable } from '../../core/kernel/errors.ts';
import { hasPosition, type TaskPosition } from '../../core/task/place/position.ts';
import type { CommandCall } from '../call.ts';
import { taskColumns } from '../output/record/task.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { tryUpdate } from './lines/trial.ts';
import { namesIn, type ShownTask } from './names.ts';
import { dryRunNote, preview } from './preview.ts';

/** What a move sets on a task. */
export interface Placing extends TaskPosition {
  readonly boardId?: string;
  readonly statusId?: string;
}

/** Tells for one task after the other how it would be after its move, and lists them. */
export class MovePreview {
  readonly #workspace: WorkspaceLookup;
  readonly #tasks: ShownTask[] = [];
  #moving = 0;
  /** The tasks that others are placed beside, as they would be then. */
  readonly #neighbours = new Map<string, ShownTask | null>();

  constructor(workspace: WorkspaceLookup) {
    this.#workspace = workspace;
  }

  /** @throws as the move would, as far as that can be checked without writing */
  async move<T extends ShownTask>(task: T, placing: Placing): Promise<T> {
    await tryUpdate(this.#workspace, task, placing, {});
    const after = await preview(this.#workspace, task, placing);
    const { beforeTaskId, afterTaskId } = placing;
    const beside = beforeTaskId ?? afterTaskId;
    if (beside !== undefined && beside !== null) {
      const neighbour = await this.#neighbour(beside);
      if (neighbour === null || neighbour.id === task.id || neighbour.statusId !== after.statusId) {
        throw unusable(beforeTaskId === undefined ? 'afterTaskId' : 'beforeTaskId');
      }
    }
    this.#neighbours.set(task.id, after);
    this.#tasks.push(after);
    if (after.statusId !== task.statusId || hasPosition(placing)) this.#moving++;
    return after;
  }

  /** Lists the tasks in the order of their move. */
  async print({ out }: CommandCall): Promise<void> {
    const [tasks, moving] = [this.#tasks, this.#moving];
    await out.list(tasks, taskColumns(await namesIn(this.#workspace, out.isForPeople ? tasks : [])));
    out.note(dryRunNote('moved', moving, tasks.length));
  }

  async #neighbour(taskId: string): Promise<ShownTask | null> {
    const known = this.#neighbours.get(taskId);
    if (known !== undefined) return known;
    const { session, workspaceId } = this.#workspace;
    const found = await session.tasks.get({ workspaceId, taskId }).catch((error: unknown) => {
      if (error instanceof EspalierError && error.code === 'not-found') return null;
      throw error;
    });
    this.#neighbours.set(taskId, found);
    return found;
  }
}
