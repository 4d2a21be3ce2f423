import { taskFrom, type Task } from '../../../core/model/content/task.ts';
import { idKey, idKeyAt, integerKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { KvEntry, KvReader, KvValue } from '../engine/kv.ts';
import { NO_WORKSPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import { IN_KEY, type Indexes, indexKeys, taskKey, uniqueKeys } from '../task/index-keys.ts';
import { metadataIndexesIn } from '../task/metadata-index.ts';
import { TaskReader } from '../task/reader.ts';
import { scopeIn } from '../records/layout.ts';
import type { IndexedKind, IndexedRecord, CheckedIndex } from './indexed-record.ts';

const INDEXES = new Map<string, CheckedIndex>(
  Object.entries({
    [PREFIX.taskById]: 'tasks.id',
    [PREFIX.taskByColumn]: 'tasks.column',
    [PREFIX.taskOfBoard]: 'tasks.board',
    [PREFIX.taskOfAssignee]: 'tasks.assignee',
    [PREFIX.taskOfTag]: 'tasks.tag',
    [PREFIX.taskByUpdate]: 'tasks.updatedAt',
    [PREFIX.taskByExternalId]: 'tasks.externalId',
    [PREFIX.taskBlocked]: 'tasks.blocked',
  }).map(([prefix, name]) => [prefix, { name, scope: 'short-name' }] as const),
).set(PREFIX.taskOfMetadata, { name: 'tasks.metadata', scope: 'short-name', isPartial: true });

export class IndexedTasks implements IndexedKind {
  readonly records = PREFIX.task;
  readonly indexes = INDEXES;
  readonly #kv: KvReader;
  readonly #workspaceKeys: WorkspaceKeys;

  constructor(kv: KvReader, workspaceKeys: WorkspaceKeys) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
  }

  stored([, value]: KvEntry): IndexedRecord {
    const task = taskFrom(value as Task);
    // An index that is being built has some of the tasks.
    return this.#indexed(
      task,
      metadataIndexesIn(this.#kv, task.workspaceId).filter(({ built }) => built),
    );
  }

  indexed(entry: KvEntry, prefix: string): IndexedRecord | undefined {
    const task = new TaskReader(this.#kv, scopeIn('short-name', entry[0], prefix)).at(entry);
    return task && this.#indexed(task, metadataIndexesIn(this.#kv, task.workspaceId));
  }

  /** Entries of an index of metadata that the workspace no longer has, and all of a workspace that is gone. */
  isBeingCleared(entry: KvEntry, prefix: string): boolean {
    if (prefix !== PREFIX.taskOfMetadata) return false;
    const workspaceKey = scopeIn('short-name', entry[0], prefix);
    const task = new TaskReader(this.#kv, workspaceKey).at(entry);
    const index = idKeyAt(entry[0], prefix.length + workspaceKey.length);
    const workspaceId = task?.workspaceId ?? this.#workspaceKeys.idOf(workspaceKey);
    const indexes = workspaceId === null ? [] : metadataIndexesIn(this.#kv, workspaceId);
    return !indexes.some(({ id }) => idKey(id) === index);
  }

  #indexed(task: Task, indexes: Indexes): IndexedRecord {
    const workspaceKey = this.#workspaceKeys.key(task.workspaceId) ?? NO_WORKSPACE;
    const num = integerKey(task.num);
    const entries = new Map<string, KvValue>([[taskKey.record(workspaceKey, num), task]]);
    for (const key of uniqueKeys(workspaceKey, task)) entries.set(key, num);
    for (const key of indexKeys(workspaceKey, task, indexes)) entries.set(key, IN_KEY);
    return { id: task.id, workspaceId: task.workspaceId, entries };
  }
}
