import type { ChangeEvent } from '../../core/model/log/change-event.ts';
import { nullIfNotFound } from '../io/failure.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/** The number and title of a task. Null: it is gone, or no longer visible. */
export interface Title {
  readonly num: number | null;
  readonly title: string | null;
}

const UNKNOWN: Title = { num: null, title: null };
/** The most tasks that are remembered; beyond that all are read again. */
const REMEMBERED = 1_000;

/** The titles of the tasks of comments, for events that have ids only. */
export class TaskTitles {
  readonly #workspace: WorkspaceLookup;
  readonly #titles = new Map<string, Title>();

  constructor(workspace: WorkspaceLookup) {
    this.#workspace = workspace;
  }

  /** Reads the task of a comment, unless it is known, and forgets titles that have changed. */
  async learn({ type, id, taskId }: ChangeEvent): Promise<void> {
    if (type.startsWith('task.')) this.#titles.delete(id ?? '');
    // Tasks on a hidden page may be renamed before it becomes visible again.
    else if (!type.startsWith('comment.')) this.#titles.clear();
    if (taskId === null || this.#titles.has(taskId)) return;
    if (this.#titles.size >= REMEMBERED) this.#titles.clear();
    this.#titles.set(taskId, await this.#read(taskId));
  }

  of(taskId: string): Title {
    return this.#titles.get(taskId) ?? UNKNOWN;
  }

  async #read(taskId: string): Promise<Title> {
    const { session, workspaceId } = this.#workspace;
    const task = await session.tasks.get({ workspaceId, taskId }).catch(nullIfNotFound);
    return task === null ? UNKNOWN : { num: task.num, title: task.title };
  }
}
