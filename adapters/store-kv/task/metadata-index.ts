import { type Removed, removeFirst } from '../../../core/kernel/removed.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { WRITE_COST } from '../engine/costs.ts';
import { idKey, integerKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { type Kv, type KvReader, prefixRange, scan } from '../engine/kv.ts';
import { IN_KEY, type Indexes, metadataKeys, taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';

const NONE: Indexes = [];

/** The indexes of metadata for one or two states of a task. Tasks without metadata cost nothing. */
export function metadataIndexesOf(kv: Kv, task: Task, other?: Task): Indexes {
  return task.metadata === undefined && other?.metadata === undefined ? NONE : metadataIndexesIn(kv, task.workspaceId);
}

/** The indexes of metadata of a workspace; none of one that does not exist. */
export function metadataIndexesIn(kv: KvReader, workspaceId: string): Indexes {
  const workspace = kv.get(PREFIX.workspace + idKey(workspaceId)) as Workspace | undefined;
  return workspace?.metadataIndexes ?? NONE;
}

/** Puts the tasks with numbers from `from`, and below `to`, in the indexes of metadata. */
export async function indexMetadata(
  kv: Kv,
  reader: TaskReader,
  from: number,
  to: number,
  yielder: Yielder,
): Promise<void> {
  const records = taskKey.records(reader.workspaceKey);
  for (const entry of scan(kv, { from: records + integerKey(from), to: records + integerKey(to) })) {
    const task = reader.at(entry);
    if (task === undefined) continue;
    const keys = metadataKeys(reader.workspaceKey, task, metadataIndexesOf(kv, task));
    for (const key of keys) kv.put(key, IN_KEY);
    const pause = yielder.step(keys.length === 0 ? 1 : WRITE_COST);
    if (pause !== null) await pause;
  }
}

/** Removes up to `limit` entries of an index of metadata. @param index its id; null: of all */
export function clearMetadataIndex(
  kv: Kv,
  workspaceKey: string,
  index: string | null,
  limit: number,
): Promise<Removed> {
  const range = prefixRange(taskKey.metadataIndex(workspaceKey, index));
  return removeFirst(
    limit,
    async (first) => kv.range(range, first, false),
    async ([key]) => kv.remove(key),
  );
}
