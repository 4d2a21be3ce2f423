import { EspalierError } from '../../core/errors.ts';
import type { ColumnRange, TaskRepository } from '../../core/store.ts';
import type { SeenTask, TaskQuery, TaskScope } from '../../core/task/query.ts';
import type { Task } from '../../core/task/task.ts';
import { idKey, integerKey } from './key.ts';
import { behind, type Kv, within } from './kv.ts';
import type { Spaces } from './spaces.ts';
import { table } from './table.ts';
import { countByStatus, countTasks } from './task-count.ts';
import { findTasks } from './task-find.ts';
import { indexKeys, sameIndexKeys, taskKey } from './task-index.ts';
import { TaskReader } from './task-reader.ts';

export class KvTasks implements TaskRepository {
  readonly #kv: Kv;
  readonly #spaces: Spaces;

  constructor(kv: Kv, spaces: Spaces) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async get(workspaceId: string, id: string): Promise<Task | null> {
    return this.#reader(workspaceId)?.task(idKey(id)) ?? null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return this.#reader(workspaceId)?.byExternalId(externalId) ?? null;
  }

  async find(query: TaskQuery): Promise<readonly SeenTask[]> {
    const reader = this.#reader(query.workspaceId);
    return reader === null ? [] : findTasks(reader, query);
  }

  async count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    const reader = this.#reader(query.workspaceId);
    return reader === null ? 0 : countTasks(reader, query);
  }

  async countByStatus(
    workspaceId: string,
    boardId: string,
    scope: TaskScope | null,
  ): Promise<ReadonlyMap<string, number>> {
    const reader = this.#reader(workspaceId);
    return reader === null ? new Map() : countByStatus(reader, boardId, scope);
  }

  async column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    const reader = this.#reader(workspaceId);
    if (reader === null) return [];
    const prefix = taskKey.column(reader.space, statusId);
    let { from, to } = within(prefix);
    if (range.from !== undefined) {
      if (range.descending === true) to = behind(prefix + integerKey(range.from));
      else from = prefix + integerKey(range.from);
    }
    const entries = this.#kv.range({ from, to }, range.limit, range.descending === true);
    return entries.flatMap(([, id]) => reader.task(id as string) ?? []);
  }

  async insert(task: Task): Promise<void> {
    const space = this.#spaces.claim(task.workspaceId);
    const id = idKey(task.id);
    for (const key of indexKeys(space, task)) this.#putKey(key, id);
    this.#kv.put(taskKey.record(space, id), task);
    this.#countOne(space, 1);
  }

  async replace(task: Task): Promise<void> {
    const space = this.#spaces.claim(task.workspaceId);
    const id = idKey(task.id);
    const record = taskKey.record(space, id);
    const before = this.#kv.get(record) as Task | undefined;
    if (before === undefined) return this.insert(task);
    if (!sameIndexKeys(before, task)) {
      const stale = new Set(indexKeys(space, before));
      const fresh = indexKeys(space, task).filter((key) => !stale.delete(key));
      for (const key of fresh) this.#putKey(key, id);
      for (const key of stale) this.#kv.remove(key);
    }
    this.#kv.put(record, task);
  }

  async remove(task: Task): Promise<void> {
    const space = this.#spaces.claim(task.workspaceId);
    const record = taskKey.record(space, idKey(task.id));
    const before = this.#kv.get(record) as Task | undefined;
    if (before === undefined) return;
    for (const key of indexKeys(space, before)) this.#kv.remove(key);
    this.#kv.remove(record);
    this.#countOne(space, -1);
  }

  async lastNum(workspaceId: string): Promise<number> {
    return this.#reader(workspaceId)?.lastNum() ?? 0;
  }

  async reserveNums(workspaceId: string, count: number): Promise<number> {
    const space = this.#spaces.claim(workspaceId);
    const last = new TaskReader(this.#kv, space).lastNum();
    this.#kv.put(table.nums + space, last + count);
    return last + 1;
  }

  async tally(workspaceId: string): Promise<number> {
    const space = this.#spaces.claim(workspaceId);
    const known = this.#kv.get(table.taskTally + space) as number | undefined;
    if (known !== undefined) return known;
    const tally = this.#kv.count(within(taskKey.byNum(space)));
    this.#kv.put(table.taskTally + space, tally);
    return tally;
  }

  async knownTally(workspaceId: string): Promise<number | null> {
    const space = this.#spaces.key(workspaceId);
    return space === null ? null : ((this.#kv.get(table.taskTally + space) as number | undefined) ?? null);
  }

  /** Only where somebody has asked for the tally. */
  #countOne(space: string, by: 1 | -1): void {
    const tally = this.#kv.get(table.taskTally + space) as number | undefined;
    if (tally !== undefined) this.#kv.put(table.taskTally + space, tally + by);
  }

  #reader(workspaceId: string): TaskReader | null {
    const space = this.#spaces.key(workspaceId);
    return space === null ? null : new TaskReader(this.#kv, space);
  }

  #putKey(key: string, id: string): void {
    const holder = this.#kv.get(key);
    if (holder !== undefined && holder !== id) {
      if (key.startsWith(table.taskByExternalId)) {
        throw new EspalierError('external-id-taken', 'Another task of the workspace has this externalId.');
      }
      throw new EspalierError('store-busy', 'Another task has this place in the status, or this running number.');
    }
    this.#kv.put(key, id);
  }
}
