import type { Change } from '../../core/model/change.ts';
import type { ChangeRepository } from '../../core/ports/store.ts';
import { type WriteAccess, within } from './access.ts';
import { fromDoc, toDoc } from './documents.ts';

export class MongodbChanges implements ChangeRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const change of changes) await this.#access.insert('changes', toDoc(change));
  }

  async list(workspaceId: string, after: string | null, limit: number): Promise<readonly Change[]> {
    if (limit <= 0) return [];
    const filter = { ...within(workspaceId), _id: { $gt: after ?? '' } };
    const docs = await this.#access.ask({ from: 'changes', filter, sort: { _id: 1 }, limit, workspaceId });
    return docs.map((doc) => fromDoc<Change>(doc));
  }
}
