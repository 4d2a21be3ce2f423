import type { Filter } from 'mongodb';
import type { ColumnRange, StatusCounts, TaskRepository } from '../../../core/ports/store.ts';
import type { SeenTask, TaskQuery } from '../../../core/model/task-query.ts';
import type { Task } from '../../../core/model/task.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { type Doc, within } from '../query/query.ts';
import { EMPTY_STATE } from '../structure/workspace-state.ts';
import { fromTaskDoc, toTaskDoc } from '../query/documents.ts';
import { queryPlaced } from './column-query.ts';
import { countTasks, findTasks } from './find-tasks.ts';
import { inFreeingOrder } from './freeing-order.ts';
import {
  isColumnEnd,
  addColumnEnd,
  END_SIZE,
  columnEndsAfterPut,
  columnEndsAfterRemoval,
  columnEndsOf,
} from './column-ends.ts';

export class MongodbTasks implements TaskRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(workspaceId: string, id: string): Promise<Task | null> {
    return taskOf(await this.#documents.byId('tasks', id, workspaceId));
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return taskOf(await this.#documents.byValue('tasks', 'externalId', externalId, workspaceId));
  }

  async find(query: TaskQuery): Promise<readonly SeenTask[]> {
    return findTasks(this.#documents, query);
  }

  async count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    return countTasks(this.#documents, query);
  }

  /** Counts. Such moves are not told from others, so that each answer says that there were some. */
  async countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts> {
    const tasks = await this.#countByStatus(workspaceId, { boardId: { $eq: boardId } });
    return { tasks, pageMoves: Math.random() };
  }

  async countAmong(
    workspaceId: string,
    boardId: string,
    ids: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#countByStatus(workspaceId, { boardId: { $eq: boardId }, _id: { $in: [...ids] } });
  }

  async column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    const { from, descending = false, limit } = range;
    if (limit <= 0) return [];
    if (isColumnEnd(range)) return (await this.#columnEnd(workspaceId, statusId)).slice(0, limit);
    const bound = from === undefined ? {} : { statusOrderKey: descending ? { $lte: from } : { $gte: from } };
    return this.#placed(workspaceId, { statusId: { $eq: statusId }, ...bound }, descending, limit);
  }

  /** Answered from the index alone, or by the end of the column, which a transaction keeps. */
  async placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]> {
    const { from, descending = false, limit } = range;
    if (limit <= 0) return [];
    if (isColumnEnd(range)) return (await this.column(workspaceId, statusId, range)).map((task) => task.statusOrderKey);
    const bound = from === undefined ? {} : { statusOrderKey: descending ? { $lte: from } : { $gte: from } };
    const filter = { ...within(workspaceId), statusId: { $eq: statusId }, ...bound };
    const query = queryPlaced(workspaceId, filter, descending, limit);
    const docs = await this.#documents.query({ ...query, project: { _id: 0, statusOrderKey: 1 } });
    return docs.map((doc) => doc['statusOrderKey'] as number);
  }

  async insert(task: Task): Promise<void> {
    await this.#documents.insert('tasks', toTaskDoc(task));
    columnEndsAfterPut(this.#documents.transactionCache, task);
    await this.#countOne(task.workspaceId, 1);
  }

  async replace(task: Task): Promise<void> {
    await this.#documents.replace('tasks', toTaskDoc(task));
    columnEndsAfterPut(this.#documents.transactionCache, task);
  }

  /** The server keeps places unique after each document, so each is written when its place is free. */
  async replaceTogether(tasks: readonly Task[]): Promise<void> {
    const before = await Promise.all(tasks.map(({ workspaceId, id }) => this.get(workspaceId, id)));
    for (const task of inFreeingOrder(tasks, before)) await this.replace(task);
  }

  async remove(task: Task): Promise<void> {
    await this.#documents.remove('tasks', task.id, task.workspaceId);
    columnEndsAfterRemoval(this.#documents.transactionCache, task.id);
    await this.#countOne(task.workspaceId, -1);
  }

  /** Writes of one workspace exclude each other, so numbers have no gaps and no duplicates. */
  async reserveNums(workspaceId: string, count: number): Promise<number> {
    const state = (await this.#documents.workspaceState(workspaceId)) ?? EMPTY_STATE;
    await this.#documents.setWorkspaceState(workspaceId, { ...state, lastNum: state.lastNum + count });
    return state.lastNum + 1;
  }

  async lastNum(workspaceId: string): Promise<number> {
    return (await this.#documents.counters(workspaceId)).lastNum;
  }

  async tally(workspaceId: string): Promise<number> {
    const state = (await this.#documents.workspaceState(workspaceId)) ?? EMPTY_STATE;
    if (state.taskCount !== null) return state.taskCount;
    const taskCount = await this.count({ workspaceId, scope: null, filters: [] });
    await this.#documents.setWorkspaceState(workspaceId, { ...state, taskCount });
    return taskCount;
  }

  async knownTally(workspaceId: string): Promise<number | null> {
    return (await this.#documents.counters(workspaceId)).taskCount;
  }

  async #countByStatus(workspaceId: string, filter: Filter<Doc>): Promise<ReadonlyMap<string, number>> {
    const counts = await this.#documents.query({
      from: 'tasks',
      filter: { ...within(workspaceId), ...filter },
      stagesAfter: [{ $group: { _id: '$statusId', count: { $sum: 1 } } }],
      workspaceId,
    });
    return new Map(counts.map((doc) => [doc._id, doc['count'] as number]));
  }

  async #columnEnd(workspaceId: string, statusId: string): Promise<readonly Task[]> {
    const known = columnEndsOf(this.#documents.transactionCache).get(statusId);
    if (known !== undefined) return known;
    const end = await this.#placed(workspaceId, { statusId: { $eq: statusId } }, true, END_SIZE);
    addColumnEnd(this.#documents.transactionCache, statusId, end);
    return end;
  }

  async #placed(
    workspaceId: string,
    filter: Filter<Doc>,
    descending: boolean,
    limit: number,
  ): Promise<readonly Task[]> {
    const query = queryPlaced(workspaceId, { ...within(workspaceId), ...filter }, descending, limit);
    return (await this.#documents.query(query)).map(fromTaskDoc);
  }

  /** Keeps the count, once the tasks were counted. */
  async #countOne(workspaceId: string, by: 1 | -1): Promise<void> {
    const state = await this.#documents.workspaceState(workspaceId);
    if (state === null || state.taskCount === null) return;
    await this.#documents.setWorkspaceState(workspaceId, { ...state, taskCount: state.taskCount + by });
  }
}

function taskOf(doc: Doc | null): Task | null {
  return doc === null ? null : fromTaskDoc(doc);
}
