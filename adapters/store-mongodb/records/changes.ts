import type { Change } from '../../../core/model/change.ts';
import type { ChangeRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { within } from '../query/query.ts';
import { fromDoc, toDoc } from '../query/documents.ts';

export class MongodbChanges implements ChangeRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const change of changes) await this.#documents.insert('changes', toDoc(change));
  }

  async list(workspaceId: string, after: string | null, limit: number): Promise<readonly Change[]> {
    if (limit <= 0) return [];
    const filter = { ...within(workspaceId), _id: { $gt: after ?? '' } };
    const docs = await this.#documents.query({ from: 'changes', filter, sort: { _id: 1 }, limit, workspaceId });
    return docs.map((doc) => fromDoc<Change>(doc));
  }
}
