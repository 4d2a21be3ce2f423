import type { Filter } from 'mongodb';
import type { ColumnRange, TaskRepository } from '../../core/ports/store.ts';
import type { SeenTask, TaskQuery, TaskScope } from '../../core/model/task-query.ts';
import type { Task } from '../../core/model/task.ts';
import { type Doc, NO_SPACE, type WriteAccess, within } from './access.ts';
import { fromTaskDoc, toTaskDoc } from './documents.ts';
import { askPlaced } from './task-columns.ts';
import { countTasks, findTasks } from './task-find.ts';
import { isTail, learnTail, TAIL, tailsAfterPut, tailsAfterRemoval, tailsOf } from './tails.ts';

export class MongodbTasks implements TaskRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async get(workspaceId: string, id: string): Promise<Task | null> {
    return taskOf(await this.#access.byId('tasks', id, workspaceId));
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return taskOf(await this.#access.byValue('tasks', 'externalId', externalId, workspaceId));
  }

  async find(query: TaskQuery): Promise<readonly SeenTask[]> {
    return findTasks(this.#access, query);
  }

  async count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    return countTasks(this.#access, query);
  }

  async countByStatus(
    workspaceId: string,
    boardId: string,
    scope: TaskScope | null,
  ): Promise<ReadonlyMap<string, number>> {
    if (scope !== null && !scope.boards.has(boardId)) return new Map();
    const hidden = scope === null || scope.hidden.size === 0 ? {} : { _id: { $nin: [...scope.hidden] } };
    const counts = await this.#access.ask({
      from: 'tasks',
      filter: { ...within(workspaceId), boardId: { $eq: boardId }, ...hidden },
      finish: [{ $group: { _id: '$statusId', count: { $sum: 1 } } }],
      workspaceId,
    });
    return new Map(counts.map((doc) => [doc._id, doc['count'] as number]));
  }

  async column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    const { from, descending = false, limit } = range;
    if (limit <= 0) return [];
    if (isTail(range)) return (await this.#tail(workspaceId, statusId)).slice(0, limit);
    const bound = from === undefined ? {} : { statusOrderKey: descending ? { $lte: from } : { $gte: from } };
    return this.#placed(workspaceId, { statusId: { $eq: statusId }, ...bound }, descending, limit);
  }

  /** By the tasks: a transaction knows the last ones, whatever it moves. */
  async placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]> {
    return (await this.column(workspaceId, statusId, range)).map((task) => task.statusOrderKey);
  }

  async insert(task: Task): Promise<void> {
    await this.#access.insert('tasks', toTaskDoc(task));
    tailsAfterPut(this.#access.derived, task);
    await this.#countOne(task.workspaceId, 1);
  }

  async replace(task: Task): Promise<void> {
    await this.#access.replace('tasks', toTaskDoc(task));
    tailsAfterPut(this.#access.derived, task);
  }

  async remove(task: Task): Promise<void> {
    await this.#access.remove('tasks', task.id, task.workspaceId);
    tailsAfterRemoval(this.#access.derived, task.id);
    await this.#countOne(task.workspaceId, -1);
  }

  /** Writes of one workspace exclude each other, so no number is ever taken back and given again. */
  async reserveNums(workspaceId: string, count: number): Promise<number> {
    const space = (await this.#access.space(workspaceId)) ?? NO_SPACE;
    await this.#access.setSpace(workspaceId, { ...space, nums: space.nums + count });
    return space.nums + 1;
  }

  async lastNum(workspaceId: string): Promise<number> {
    return (await this.#access.counters(workspaceId)).nums;
  }

  async tally(workspaceId: string): Promise<number> {
    const space = (await this.#access.space(workspaceId)) ?? NO_SPACE;
    if (space.tally !== null) return space.tally;
    const tally = await this.count({ workspaceId, scope: null, filters: [] });
    await this.#access.setSpace(workspaceId, { ...space, tally });
    return tally;
  }

  async knownTally(workspaceId: string): Promise<number | null> {
    return (await this.#access.counters(workspaceId)).tally;
  }

  async #tail(workspaceId: string, statusId: string): Promise<readonly Task[]> {
    const known = tailsOf(this.#access.derived).get(statusId);
    if (known !== undefined) return known;
    const tail = await this.#placed(workspaceId, { statusId: { $eq: statusId } }, true, TAIL);
    learnTail(this.#access.derived, statusId, tail);
    return tail;
  }

  async #placed(
    workspaceId: string,
    filter: Filter<Doc>,
    descending: boolean,
    limit: number,
  ): Promise<readonly Task[]> {
    const ask = askPlaced(workspaceId, { ...within(workspaceId), ...filter }, descending, limit);
    return (await this.#access.ask(ask)).map(fromTaskDoc);
  }

  /** Only where somebody has asked for the tally. */
  async #countOne(workspaceId: string, by: 1 | -1): Promise<void> {
    const space = await this.#access.space(workspaceId);
    if (space === null || space.tally === null) return;
    await this.#access.setSpace(workspaceId, { ...space, tally: space.tally + by });
  }
}

function taskOf(doc: Doc | null): Task | null {
  return doc === null ? null : fromTaskDoc(doc);
}
