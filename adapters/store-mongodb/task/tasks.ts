import type { Removed } from '../../../core/kernel/removed.ts';
import type { ColumnRange, StatusCounts, TaskRepository } from '../../../core/ports/tasks.ts';
import type { SeenTask, TaskQuery } from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { MetadataIndex, Workspace } from '../../../core/model/workspace/workspace.ts';
import { type DocumentWriter, fromDoc, fromTaskDoc, WITHOUT_DERIVED, toTaskDoc } from '../query/documents.ts';
import { type Doc, inParts, queryById, queryByValue } from '../query/query.ts';
import { structureIn } from '../structure/transaction-structures.ts';
import { countTasks } from './status-counts.ts';
import { findTasks, queryRange } from './find-tasks.ts';
import { addPlaces, inFreeingOrder, knownPlaces, placesAfterWrite, READ_AHEAD } from './column-places.ts';

export class MongodbTasks implements TaskRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(workspaceId: string, id: string): Promise<Task | null> {
    return taskOf(await this.#documents.one(queryById('tasks', id, workspaceId)));
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return taskOf(await this.#documents.one(queryByValue('tasks', 'externalId', externalId, workspaceId)));
  }

  async find(query: TaskQuery): Promise<readonly SeenTask[]> {
    return findTasks(this.#documents, query);
  }

  async count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    return countTasks(this.#documents, query);
  }

  async countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts> {
    const [{ pageMoves }, counts] = await Promise.all([
      this.#documents.counters(workspaceId),
      this.#documents.statusCounts(workspaceId, [boardId]),
    ]);
    return { tasks: counts.get(boardId) ?? new Map(), pageMoves };
  }

  async countAmong(
    workspaceId: string,
    boardId: string,
    ids: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const some of inParts(ids)) {
      const found = await this.#documents.query({
        from: 'tasks',
        workspaceId,
        filter: { boardId: { $eq: boardId }, _id: { $in: some } },
        stagesAfter: [{ $group: { _id: '$statusId', count: { $sum: 1 } } }],
      });
      for (const { _id, count } of found) counts.set(_id, (counts.get(_id) ?? 0) + (count as number));
    }
    return counts;
  }

  async column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    if (range.limit <= 0) return [];
    const known = knownPlaces(this.#documents.transactionCache, statusId, range);
    const docs =
      known === undefined
        ? await this.#documents.query(queryRange(workspaceId, statusId, range))
        : await Promise.all(known.map(({ id }) => this.#documents.one(queryById('tasks', id, workspaceId))));
    return docs.flatMap((doc) => (doc === null ? [] : [fromTaskDoc(doc)]));
  }

  async placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]> {
    if (range.limit <= 0) return [];
    const cache = this.#documents.transactionCache;
    const known = knownPlaces(cache, statusId, range);
    if (known !== undefined) return known.map(({ key }) => key);
    const ahead = { ...range, limit: Math.max(range.limit, READ_AHEAD) };
    const query = queryRange(workspaceId, statusId, ahead);
    const docs = await this.#documents.query({ ...query, project: { statusOrderKey: 1 } });
    const places = docs.map((doc) => ({ id: doc._id, key: doc['statusOrderKey'] as number }));
    addPlaces(cache, statusId, ahead, places);
    return places.slice(0, range.limit).map(({ key }) => key);
  }

  async placesTakenAmong(workspaceId: string, statusId: string, from: number, to: number): Promise<readonly number[]> {
    const taken = await this.placesTaken(workspaceId, statusId, { from, limit: to - from + 1 });
    return taken.filter((key) => key <= to);
  }

  async insert(task: Task): Promise<void> {
    await this.#beforeWrite(null, task);
    await this.#documents.insert('tasks', toTaskDoc(task, await this.#indexesOf(task)));
  }

  async replace(task: Task): Promise<void> {
    await this.#beforeWrite(await this.get(task.workspaceId, task.id), task);
    await this.#documents.replace('tasks', toTaskDoc(task, await this.#indexesOf(task)));
  }

  /** The server checks the uniqueness of places after each document, so each task is written when its place is free. */
  async replaceTogether(tasks: readonly Task[]): Promise<void> {
    const before = await Promise.all(tasks.map(({ workspaceId, id }) => this.get(workspaceId, id)));
    for (const task of inFreeingOrder(tasks, before)) await this.replace(task);
  }

  async remove(task: Task): Promise<void> {
    await this.#beforeWrite(task, null);
    await this.#documents.remove('tasks', task.id, task.workspaceId);
  }

  /** Documents contain their index values, so they are written again. */
  async indexMetadata(workspaceId: string, from: number, to: number): Promise<void> {
    const filter = { num: { $gte: from, $lt: to }, metadata: { $exists: true } };
    for (const doc of await this.#documents.query({ from: 'tasks', workspaceId, filter, project: WITHOUT_DERIVED })) {
      const task = fromTaskDoc(doc);
      await this.#documents.replace('tasks', toTaskDoc(task, await this.#indexesOf(task)));
    }
  }

  /**
   * Nothing is removed here: remaining values in a document match no query, and the next write of the task removes
   * them.
   */
  async clearMetadataIndex(): Promise<Removed> {
    return { removed: 0, more: false };
  }

  /** Tasks without metadata cost nothing. */
  async #indexesOf({ workspaceId, metadata }: Task): Promise<readonly MetadataIndex[]> {
    if (metadata === undefined) return [];
    const structure = structureIn(this.#documents, workspaceId);
    if (structure !== undefined) return structure.workspace.metadataIndexes ?? [];
    const doc = await this.#documents.one(queryById('workspaces', workspaceId));
    return doc === null ? [] : (fromDoc<Workspace>(doc).metadataIndexes ?? []);
  }

  /** Writes of one workspace exclude each other, so numbers have no gaps and no duplicates. */
  async reserveNums(workspaceId: string, count: number): Promise<number> {
    const lastNum = await this.lastNum(workspaceId);
    await this.#documents.changeWorkspaceState(workspaceId, { lastNum: lastNum + count });
    return lastNum + 1;
  }

  async lastNum(workspaceId: string): Promise<number> {
    return (await this.#documents.counters(workspaceId)).lastNum;
  }

  async ensureTaskCount(workspaceId: string): Promise<number> {
    const known = await this.taskCount(workspaceId);
    if (known !== null) return known;
    const taskCount = await this.count({ workspaceId, scope: null, filters: [] });
    await this.#documents.changeWorkspaceState(workspaceId, { taskCount });
    return taskCount;
  }

  async taskCount(workspaceId: string): Promise<number | null> {
    return (await this.#documents.counters(workspaceId)).taskCount;
  }

  /**
   * Updates places and counts for the change of one task: the counts of statuses, and the count of all tasks if it
   * exists.
   */
  async #beforeWrite(before: Task | null, after: Task | null): Promise<void> {
    const { workspaceId } = (before ?? after)!;
    const { taskCount, pageMoves } = await this.#documents.workspaceState(workspaceId);
    placesAfterWrite(this.#documents.transactionCache, before, after);
    if (before?.statusId === after?.statusId && before?.boardId === after?.boardId) return;
    if (before !== null) await this.#documents.changeCount(before, -1);
    if (after !== null) await this.#documents.changeCount(after, 1);
    const by = Number(after !== null) - Number(before !== null);
    const counters = {
      taskCount: taskCount === null ? null : taskCount + by,
      pageMoves: before !== null && this.#mayHavePage(before) ? pageMoves + 1 : pageMoves,
    };
    if (counters.taskCount === taskCount && counters.pageMoves === pageMoves) return;
    await this.#documents.changeWorkspaceState(workspaceId, counters);
  }

  /** Whether it has a page of its own. A use case has loaded the structure; without it, that is not known. */
  #mayHavePage({ workspaceId, id }: Task): boolean {
    const structure = structureIn(this.#documents, workspaceId);
    return structure === undefined || structure.page(id) !== undefined || structure.isRemovedTask(id);
  }
}

function taskOf(doc: Doc | null): Task | null {
  return doc === null ? null : fromTaskDoc(doc);
}
