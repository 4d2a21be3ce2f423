import type { Filter } from 'mongodb';
import type { Job, Purge } from '../../../core/model/job.ts';
import type { JobPosition, JobRepository } from '../../../core/ports/store.ts';
import { fromDoc, toDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { type Doc, within } from '../query/query.ts';

/** In the collection `purges`: jobs of that kind were the first, and documents without a kind are such. */
export class MongodbJobs implements JobRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(workspaceId: string, id: string): Promise<Job | null> {
    const doc = await this.#documents.byId('purges', id, workspaceId);
    return doc === null ? null : toJob(doc);
  }

  async ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Job[]> {
    if (limit <= 0) return [];
    const filter = { ...within(workspaceId), ...(after === null ? {} : { _id: { $gt: after } }) };
    const docs = await this.#documents.query({ from: 'purges', filter, sort: { _id: 1 }, limit, workspaceId });
    return docs.map(toJob);
  }

  async list(after: JobPosition | null, limit: number): Promise<readonly Job[]> {
    if (limit <= 0) return [];
    const filter = listedAfter(after);
    const docs = await this.#documents.query({ from: 'purges', filter, sort: { workspaceId: 1, _id: 1 }, limit });
    return docs.map(toJob);
  }

  async insert(job: Job): Promise<void> {
    await this.#documents.insert('purges', toDoc(job));
  }

  async replace(job: Job): Promise<void> {
    await this.#documents.replace('purges', toDoc(job));
  }

  async remove(job: Job): Promise<void> {
    await this.#documents.remove('purges', job.id, job.workspaceId);
  }
}

function listedAfter(after: JobPosition | null): Filter<Doc> {
  const next = { workspaceId: { $gt: after?.workspaceId ?? '' } };
  if (after === null || after.id === null) return next;
  return { $or: [next, { workspaceId: { $eq: after.workspaceId }, _id: { $gt: after.id } }] };
}

function toJob(doc: Doc): Job {
  const job = fromDoc<Job>(doc);
  return 'kind' in job ? job : { kind: 'purge', ...(job as Omit<Purge, 'kind'>) };
}
