import { MAX_FILTER_VALUES } from '../../../core/task/list/filters.ts';
import { usage } from '../../io/failure.ts';
import { taskNumber, type WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import type { ShownTask } from '../names.ts';
import type { LineRecord, TaskLine } from './format.ts';

/** The tasks that the lines of a file name. Those named by number are read many at a time, just before they are due. */
export class TasksOfLines {
  readonly #workspace: WorkspaceLookup;
  /** The numbers that are not read yet, in the order of their lines. */
  readonly #due: Set<number>;
  #read = new Map<number, ShownTask>();
  /** The tasks of a dry run that would be changed, by id. */
  readonly #foreseen = new Map<string, ShownTask>();

  constructor(workspace: WorkspaceLookup, lines: readonly TaskLine[]) {
    this.#workspace = workspace;
    this.#due = new Set(lines.flatMap((line) => ('error' in line ? [] : (numberIn(line.record) ?? []))));
  }

  /**
   * The task of a line, in a dry run as the lines before would leave it.
   *
   * @throws a failure if the line names no task, or none that the caller sees
   */
  async taskOf(record: LineRecord): Promise<ShownTask> {
    const task = await this.#stored(record);
    return this.#foreseen.get(task.id) ?? task;
  }

  /** Keeps a task as a line has changed it, for the next line that names it. */
  keep(task: ShownTask): void {
    if (this.#read.has(task.num)) this.#read.set(task.num, task);
  }

  /** Keeps a task as a line of a dry run would change it. */
  foresee(task: ShownTask): void {
    this.#foreseen.set(task.id, task);
  }

  async #stored(record: LineRecord): Promise<ShownTask> {
    const { id } = record;
    const num = numberIn(record);
    const read = num === undefined ? undefined : await this.#numbered(num);
    if (read !== undefined && (typeof id !== 'string' || read.id === id)) return read;
    const { session, workspaceId } = this.#workspace;
    return session.tasks.get({ workspaceId, taskId: await taskIn(record, this.#workspace) });
  }

  async #numbered(num: number): Promise<ShownTask | undefined> {
    if (this.#due.has(num)) {
      const { session, workspaceId } = this.#workspace;
      const nums = this.#next();
      const { items } = await session.tasks.list({ workspaceId, num: nums, limit: nums.length });
      this.#read = new Map(items.map((task) => [task.num, task]));
    }
    return this.#read.get(num);
  }

  /** Takes the numbers that are read together from those that are due. */
  #next(): readonly number[] {
    const nums: number[] = [];
    for (const num of this.#due) {
      if (nums.length === MAX_FILTER_VALUES) break;
      nums.push(num);
      this.#due.delete(num);
    }
    return nums;
  }
}

function numberIn({ num }: LineRecord): number | undefined {
  const given = typeof num === 'number' || typeof num === 'string' ? taskNumber(String(num)) : undefined;
  return given === 0 ? undefined : given;
}

function taskIn({ id, num }: LineRecord, workspace: WorkspaceLookup): Promise<string> {
  if (typeof id === 'string') return workspace.task(id);
  if (typeof num === 'number' || typeof num === 'string') return workspace.task(String(num));
  throw usage('No task given: set id or num.');
}
