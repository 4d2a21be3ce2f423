import { COLLECTION_NAMES, specOf } from '../../core/model/collections.ts';
import type { Collections } from '../../core/ports/collection.ts';
import { lazyTransaction } from '../../core/ports/lazy-transaction.ts';
import type { Transaction } from '../../core/ports/store.ts';
import { IndexedCollection } from './check/indexed-collection.ts';
import type { IndexedKind } from './check/indexed-record.ts';
import { indexedMembers, indexedPages } from './check/indexed-structure.ts';
import { IndexedTasks } from './check/indexed-tasks.ts';
import { KvIndexes } from './check/indexes.ts';
import type { Kv } from './engine/kv.ts';
import { type Share, SHARE_OF_WRITES } from '../event-loop/loop-share.ts';
import { EventLoopYielder } from '../event-loop/yielder.ts';
import { KvChangeLog } from './records/change-log.ts';
import { KvCollection } from './records/collection.ts';
import { layoutOf } from './records/layout.ts';
import { KvActivity, KvIdempotencyRecords, KvSettings } from './records/service-records.ts';
import type { StructureCache } from './structure/structure-cache.ts';
import { KvStructures } from './structure/structures.ts';
import { WorkspaceKeys } from './structure/workspace-keys.ts';
import { KvTasks } from './task/tasks.ts';

const LAYOUTS = new Map(COLLECTION_NAMES.map((name) => [name, layoutOf(name, specOf(name))]));

export interface KvTransaction extends Transaction {
  readonly structures: KvStructures;
  readonly tasks: KvTasks;
}

/**
 * A transaction over one snapshot.
 *
 * @param share schedules long work. Default: that of this process
 * @param mayLoad whether it may load a large structure itself, in steps. Default true; false leaves that to
 * `runWithWholeStructures`, so that it holds up no write
 */
export function kvTransaction(kv: Kv, cache: StructureCache, share?: Share, mayLoad = true): KvTransaction {
  const workspaceKeys = new WorkspaceKeys(kv);
  const yielder = new EventLoopYielder(share);
  const tx: KvTransaction = lazyTransaction<KvTransaction>(
    (name) => new KvCollection(kv, workspaceKeys, LAYOUTS.get(name)!, yielder),
    {
      structures: () =>
        new KvStructures(kv, workspaceKeys, () => tx as unknown as Collections, cache, mayLoad, yielder),
      tasks: () => new KvTasks(kv, workspaceKeys, share),
      changeLog: () =>
        new KvChangeLog(kv, workspaceKeys, (workspaceId, id) => tx.tasks.updateKey(workspaceId, id), yielder),
      activity: () => new KvActivity(kv),
      idempotency: () => new KvIdempotencyRecords(kv),
      settings: () => new KvSettings(kv),
      indexes: () => new KvIndexes(kv, workspaceKeys, indexedKinds(kv, workspaceKeys), yielder),
    },
  );
  return tx;
}

/** The kinds of records that have indexes. */
export function indexedKinds(kv: Kv, workspaceKeys: WorkspaceKeys): readonly IndexedKind[] {
  return [
    ...Array.from(LAYOUTS, ([name, layout]) => new IndexedCollection(kv, workspaceKeys, name, layout)),
    new IndexedTasks(kv, workspaceKeys),
    indexedPages(kv, workspaceKeys),
    indexedMembers(kv, workspaceKeys),
  ];
}

/** A write transaction. As other writes wait for it, its long work has priority over that of reads. */
export function kvWriteTransaction(kv: Kv, cache: StructureCache, mayLoad: boolean): KvTransaction {
  return kvTransaction(kv, cache, SHARE_OF_WRITES, mayLoad);
}
