import type { Job, Purge } from '../../../core/model/job.ts';
import type { JobPosition, JobRepository } from '../../../core/ports/store.ts';
import { fromDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { RecordCollection } from './record-collection.ts';

/** In the collection `purges`: jobs of that kind were the first, and documents without a kind are such. */
export class MongodbJobs extends RecordCollection<Job> implements JobRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'purges');
  }

  get(workspaceId: string, id: string): Promise<Job | null> {
    return this.byId(id, workspaceId);
  }

  ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Job[]> {
    return this.listById(workspaceId, {}, after, limit);
  }

  async list(after: JobPosition | null, limit: number): Promise<readonly Job[]> {
    return limit <= 0 ? [] : this.all(null, listedAfter(after), { sort: { workspaceId: 1, _id: 1 }, limit });
  }

  protected override fromDoc(doc: Doc): Job {
    const job = fromDoc<Job>(doc);
    return 'kind' in job ? job : { kind: 'purge', ...(job as Omit<Purge, 'kind'>) };
  }
}

function listedAfter(after: JobPosition | null) {
  const next = { workspaceId: { $gt: after?.workspaceId ?? '' } };
  if (after === null || after.id === null) return next;
  return { $or: [next, { workspaceId: { $eq: after.workspaceId }, _id: { $gt: after.id } }] };
}
