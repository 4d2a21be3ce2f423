import type { AuditRecord } from '../../../core/model/audit-record.ts';
import type { AuditRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';

/** What was before and after is kept as text: its fields differ, and nobody queries them. */
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
    const behind = after === null ? {} : { _id: { $lt: after } };
    const docs = await this.#documents.query({
      from: 'audit',
      filter: { workspaceId: { $eq: workspaceId }, ...behind },
      sort: { workspaceId: -1, _id: -1 },
      limit,
      ...(workspaceId === null ? {} : { workspaceId }),
    });
    return docs.map((doc) => JSON.parse(doc['record'] as string) as AuditRecord);
  }
}
