import type { Removed } from '../../../core/kernel/removed.ts';
import { EspalierError, externalIdTaken } from '../../../core/kernel/errors.ts';
import type { ColumnRange, StatusCounts, TaskRepository } from '../../../core/ports/tasks.ts';
import type { SeenTask, TaskQuery } from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { ENTRY_COST, WRITE_COST } from '../engine/costs.ts';
import { integerKey, lastInteger } from '../engine/key.ts';
import type { Kv } from '../engine/kv.ts';
import type { Share } from '../../event-loop/loop-share.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { columnEntries, orderKeysTaken } from './column.ts';
import { countAmong, countTasks } from './count.ts';
import { TaskCounters } from './counters.ts';
import { countsOfBoard } from './status-counts.ts';
import { findTasks } from './query-plan.ts';
import {
  changedIndexKeys,
  changedUniqueKeys,
  IN_KEY,
  indexKeys,
  type KeyChanges,
  taskKey,
  uniqueKeys,
  updateKey,
} from './index-keys.ts';
import { clearMetadataIndex, indexMetadata, metadataIndexesOf } from './metadata-index.ts';
import { TaskReader } from './reader.ts';
import { RecentTasks } from './recent-tasks.ts';
import { RunningSearch } from './running-search.ts';
import { endIn, endKey } from '../history/ends.ts';

const NONE: ReadonlyMap<string, number> = new Map();

/** A task that is replaced together with others, and the keys that it loses and gains. */
interface Replacement {
  readonly workspaceKey: string;
  readonly before: Task;
  readonly task: Task;
  readonly unique: ReturnType<typeof changedUniqueKeys>;
  readonly index: ReturnType<typeof changedIndexKeys>;
}

export class KvTasks implements TaskRepository {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #share: Share | undefined;
  readonly #yielder: EventLoopYielder;
  #ownCounters: TaskCounters | undefined;
  readonly #recent = new RecentTasks();
  readonly #search = new RunningSearch();
  /** The pause during which other work runs, if any. */
  #waiting: Promise<void> | null = null;
  /** The task that was updated last, with its key in the index by update. */
  #lastUpdated: { readonly workspaceId: string; readonly id: string; readonly key: string } | null = null;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, share?: Share) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#share = share;
    this.#yielder = new EventLoopYielder(share);
  }

  get #counters(): TaskCounters {
    return (this.#ownCounters ??= new TaskCounters(this.#kv, this.#workspaceKeys));
  }

  async get(workspaceId: string, id: string): Promise<Task | null> {
    // If many tasks are read together and one of them waits, those after it wait too.
    while (this.#waiting !== null) await this.#waiting;
    const known = this.#recent.get(workspaceId, id);
    if (known !== undefined) return known;
    const task = this.#reader(workspaceId)?.byId(id);
    if (task !== undefined) this.#recent.add(task);
    const pause = this.#yielder.step();
    if (pause !== null) await (this.#waiting = pause.finally(() => (this.#waiting = null)));
    return task ?? null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return this.#reader(workspaceId)?.byExternalId(externalId) ?? null;
  }

  async find(query: TaskQuery): Promise<readonly SeenTask[]> {
    const reader = this.#reader(query.workspaceId);
    if (reader === null) return [];
    return this.#search.run(query, findTasks(reader, query, new EventLoopYielder(this.#share)));
  }

  async count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    const found = await this.#search.total(query);
    if (found !== null) return found;
    const reader = this.#reader(query.workspaceId);
    return reader === null ? 0 : countTasks(reader, query, new EventLoopYielder(this.#share));
  }

  async countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts> {
    const reader = this.#reader(workspaceId);
    const tasks = reader === null ? NONE : await countsOfBoard(reader, boardId, new EventLoopYielder(this.#share));
    return { tasks, pageMoves: this.#workspaceKeys.get(workspaceId)?.pageMoves ?? 0 };
  }

  async countAmong(
    workspaceId: string,
    boardId: string,
    ids: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, number>> {
    const reader = this.#reader(workspaceId);
    return reader === null ? NONE : countAmong(reader, boardId, ids, new EventLoopYielder(this.#share));
  }

  async column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    const reader = this.#reader(workspaceId);
    if (reader === null) return [];
    return columnEntries(this.#kv, reader.workspaceKey, statusId, range).flatMap((entry) => reader.at(entry) ?? []);
  }

  async placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    if (workspaceKey === null) return [];
    return columnEntries(this.#kv, workspaceKey, statusId, range).map(([key]) => lastInteger(key));
  }

  async placesTakenAmong(workspaceId: string, statusId: string, from: number, to: number): Promise<readonly number[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null ? [] : orderKeysTaken(this.#kv, taskKey.column(workspaceKey, statusId), from, to);
  }

  async insert(task: Task): Promise<void> {
    const pause = this.#yielder.step(WRITE_COST + (task.tags.length + task.assignees.length) * ENTRY_COST);
    if (pause !== null) await pause;
    const workspaceKey = this.#workspaceKeys.allocate(task.workspaceId);
    const num = integerKey(task.num);
    if (!this.#kv.putNew(taskKey.record(workspaceKey, num), task)) throw conflict();
    for (const key of uniqueKeys(workspaceKey, task)) this.#putOwn(key, num);
    for (const key of indexKeys(workspaceKey, task, metadataIndexesOf(this.#kv, task))) this.#kv.put(key, IN_KEY);
    this.#counters.change(workspaceKey, null, task);
  }

  async replace(task: Task): Promise<void> {
    const pause = this.#yielder.step(WRITE_COST);
    if (pause !== null) await pause;
    const workspaceKey = this.#workspaceKeys.allocate(task.workspaceId);
    const before = this.#stored(workspaceKey, task);
    if (before === undefined) return this.insert(task);
    if (before.num !== task.num) {
      await this.remove(before);
      return this.insert(task);
    }
    const num = integerKey(task.num);
    const unique = changedUniqueKeys(workspaceKey, before, task);
    const index = changedIndexKeys(workspaceKey, before, task, metadataIndexesOf(this.#kv, before, task));
    for (const key of unique.fresh) this.#putOwn(key, num);
    this.#putIndexed(index, task);
    for (const key of unique.stale) this.#kv.remove(key);
    for (const key of index.stale) this.#kv.remove(key);
    this.#put(workspaceKey, num, task);
    this.#counters.change(workspaceKey, before, task);
    const rest = this.#yielder.step((index.fresh.length + index.stale.length) * ENTRY_COST);
    if (rest !== null) await rest;
  }

  async replaceTogether(tasks: readonly Task[]): Promise<void> {
    const changes: Replacement[] = [];
    for (const task of tasks) {
      const workspaceKey = this.#workspaceKeys.allocate(task.workspaceId);
      const before = this.#stored(workspaceKey, task);
      if (before?.num !== task.num) throw new TypeError('Only a task that is there can be replaced with others.');
      const unique = changedUniqueKeys(workspaceKey, before, task);
      const index = changedIndexKeys(workspaceKey, before, task, metadataIndexesOf(this.#kv, before, task));
      changes.push({ workspaceKey, before, task, unique, index });
      const pause = this.#yielder.step();
      if (pause !== null) await pause;
    }
    // All tasks lose their old keys before any gains a new one.
    for (const { unique, index, task } of changes) {
      this.#putIndexed(index, task);
      for (const key of unique.stale) this.#kv.remove(key);
      for (const key of index.stale) this.#kv.remove(key);
      const pause = this.#yielder.step(1 + (index.fresh.length + index.stale.length) * ENTRY_COST);
      if (pause !== null) await pause;
    }
    for (const { workspaceKey, before, task, unique } of changes) {
      const num = integerKey(task.num);
      for (const key of unique.fresh) this.#putOwn(key, num);
      this.#put(workspaceKey, num, task);
      this.#counters.change(workspaceKey, before, task);
      const pause = this.#yielder.step(WRITE_COST);
      if (pause !== null) await pause;
    }
  }

  async remove(task: Task): Promise<void> {
    const workspaceKey = this.#workspaceKeys.allocate(task.workspaceId);
    const before = this.#stored(workspaceKey, task);
    if (before === undefined) return;
    const keys = [
      ...uniqueKeys(workspaceKey, before),
      ...indexKeys(workspaceKey, before, metadataIndexesOf(this.#kv, before)),
    ];
    const end = endIn(this.#kv.get(updateKey(workspaceKey, before)));
    if (end !== undefined) this.#kv.put(endKey(workspaceKey, 'task', before.id), end);
    for (const key of keys) this.#kv.remove(key);
    this.#recent.remove(before);
    this.#lastUpdated = null;
    this.#kv.remove(taskKey.record(workspaceKey, integerKey(before.num)));
    this.#counters.change(workspaceKey, before, null);
    const pause = this.#yielder.step(WRITE_COST + keys.length * ENTRY_COST);
    if (pause !== null) await pause;
  }

  async indexMetadata(workspaceId: string, from: number, to: number): Promise<void> {
    const reader = this.#reader(workspaceId);
    if (reader !== null) await indexMetadata(this.#kv, reader, from, to, this.#yielder);
  }

  async clearMetadataIndex(workspaceId: string, index: string | null, limit: number): Promise<Removed> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null
      ? { removed: 0, more: false }
      : clearMetadataIndex(this.#kv, workspaceKey, index, limit);
  }

  async lastNum(workspaceId: string): Promise<number> {
    return this.#reader(workspaceId)?.lastNum() ?? 0;
  }

  async reserveNums(workspaceId: string, count: number): Promise<number> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const last = new TaskReader(this.#kv, workspaceKey).lastNum();
    this.#kv.put(PREFIX.nums + workspaceKey, last + count);
    return last + 1;
  }

  ensureTaskCount(workspaceId: string): Promise<number> {
    return this.#counters.ensureTotal(this.#workspaceKeys.allocate(workspaceId), this.#yielder);
  }

  async taskCount(workspaceId: string): Promise<number | null> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null ? null : this.#counters.total(workspaceKey);
  }

  /**
   * The key of a task in the index by update, whose value is the end of its history. Undefined: there is no such task.
   */
  updateKey(workspaceId: string, id: string): string | undefined {
    if (this.#lastUpdated?.id === id && this.#lastUpdated.workspaceId === workspaceId) return this.#lastUpdated.key;
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    if (workspaceKey === null) return undefined;
    const task = this.#recent.get(workspaceId, id) ?? new TaskReader(this.#kv, workspaceKey).byId(id);
    return task === undefined ? undefined : updateKey(workspaceKey, task);
  }

  #stored(workspaceKey: string, { workspaceId, id }: Task): Task | undefined {
    return this.#recent.get(workspaceId, id) ?? new TaskReader(this.#kv, workspaceKey).byId(id);
  }

  /** @param num encoded */
  #put(workspaceKey: string, num: string, task: Task): void {
    this.#recent.remove(task);
    this.#recent.add(task);
    this.#kv.put(taskKey.record(workspaceKey, num), task);
  }

  /** Puts the new keys of a task in secondary indexes. To be called before the old ones are removed. */
  #putIndexed({ fresh, stale }: KeyChanges, { workspaceId, id }: Task): void {
    for (const key of fresh) {
      if (!key.startsWith(PREFIX.taskByUpdate)) {
        this.#kv.put(key, IN_KEY);
        continue;
      }
      const old = stale.find((one) => one.startsWith(PREFIX.taskByUpdate));
      this.#kv.put(key, (old === undefined ? undefined : endIn(this.#kv.get(old))) ?? IN_KEY);
      this.#lastUpdated = { workspaceId, id, key };
    }
  }

  #reader(workspaceId: string): TaskReader | null {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null ? null : new TaskReader(this.#kv, workspaceKey);
  }

  #putOwn(key: string, num: string): void {
    if (this.#kv.putNew(key, num)) return;
    throw key.startsWith(PREFIX.taskByExternalId) ? externalIdTaken('task') : conflict();
  }
}

function conflict(): EspalierError {
  return new EspalierError('store-busy', 'Another task has this id, this running number, or this place in the status.');
}
