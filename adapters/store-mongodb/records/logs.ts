import type { AuditRecord } from '../../../core/model/audit-record.ts';
import type { Change } from '../../../core/model/change.ts';
import type { IdempotencyRecord } from '../../../core/model/idempotency-record.ts';
import type {
  ActivityRepository,
  AuditRepository,
  ChangeRepository,
  IdempotencyRepository,
} from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { RecordCollection } from './record-collection.ts';

export class MongodbChanges extends RecordCollection<Change> implements ChangeRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'changes');
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const change of changes) await this.insert(change);
  }

  list(workspaceId: string, after: string | null, limit: number): Promise<readonly Change[]> {
    return this.listById(workspaceId, {}, after, limit);
  }
}

/** A record is kept as text: the fields of its `before` and `after` differ by action, and are never queried. */
export class MongodbAudit implements AuditRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    for (const record of records) {
      const { id: _id, workspaceId } = record;
      await this.#documents.insert('audit', { _id, workspaceId, record: JSON.stringify(record) });
    }
  }

  async list(workspaceId: string | null, after: string | null, limit: number): Promise<readonly AuditRecord[]> {
    if (limit <= 0) return [];
    const docs = await this.#documents.query({
      from: 'audit',
      filter: { workspaceId: { $eq: workspaceId }, ...(after === null ? {} : { _id: { $lt: after } }) },
      sort: { workspaceId: -1, _id: -1 },
      limit,
      ...(workspaceId === null ? {} : { workspaceId }),
    });
    return docs.map((doc) => JSON.parse(doc['record'] as string) as AuditRecord);
  }
}

export class MongodbActivity implements ActivityRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async touch(subject: string, at: string): Promise<void> {
    const write = { updateOne: { filter: { _id: { $eq: subject } }, update: { $max: { at } }, upsert: true } };
    await this.#documents.writeUnindexed('activity', write);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (subjects.length === 0) return new Map();
    const docs = await this.#documents.query({ from: 'activity', filter: { _id: { $in: [...subjects] } } });
    return new Map(docs.map((doc) => [doc._id, doc['at'] as string]));
  }
}

/** When the server removes an idempotency record, in ms after it is written: after its expiry by any clock. */
const REMOVED_AFTER = 25 * 3_600_000;

/** A record is kept as text: its output may be anything. */
export class MongodbIdempotencyRecords implements IdempotencyRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(key: string): Promise<IdempotencyRecord | null> {
    const doc = await this.#documents.byId('replays', key);
    return doc === null ? null : (JSON.parse(doc['replay'] as string) as IdempotencyRecord);
  }

  async put(record: IdempotencyRecord): Promise<void> {
    const sweepAt = new Date(Date.now() + REMOVED_AFTER);
    await this.#documents.replace('replays', { _id: record.key, replay: JSON.stringify(record), sweepAt });
  }

  async removeExpired(): Promise<void> {
    // The server does it, by an index. Writers that all removed the same records would conflict.
  }
}
