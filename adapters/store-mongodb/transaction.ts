import type { Structure } from '../../core/model/workspace/structure.ts';
import { lazyTransaction } from '../../core/ports/lazy-transaction.ts';
import type { Transaction } from '../../core/ports/store.ts';
import type { SettingsCache, VersionedCache } from './caches.ts';
import type { DocumentWriter } from './query/document-writer.ts';
import { MongodbChangeLog } from './records/change-log.ts';
import { MongodbCollection } from './records/collection.ts';
import { MongodbActivity, MongodbIdempotencyRecords, MongodbSettings } from './records/service-records.ts';
import { MongodbStructures } from './structure/structures.ts';
import { MongodbTasks } from './task/tasks.ts';

export interface MongodbTransaction extends Transaction {
  readonly structures: MongodbStructures;
}

/** The repositories over one snapshot. */
export function mongodbTransaction(
  documents: DocumentWriter,
  cache: VersionedCache<Structure>,
  settings: SettingsCache,
  onUncounted: (workspaceId: string) => void,
): MongodbTransaction {
  return lazyTransaction<MongodbTransaction>((name) => new MongodbCollection(documents, name), {
    structures: () => new MongodbStructures(documents, cache),
    tasks: () => new MongodbTasks(documents, onUncounted),
    changeLog: () => new MongodbChangeLog(documents),
    activity: () => new MongodbActivity(documents),
    idempotency: () => new MongodbIdempotencyRecords(documents),
    settings: () => new MongodbSettings(documents, settings),
  });
}
