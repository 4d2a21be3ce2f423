import type { Comment } from '../../../core/model/comment.ts';
import type { CommentRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { within } from '../query/query.ts';
import { fromDoc, fromDocOrNull, toDoc } from '../query/documents.ts';

export class MongodbComments implements CommentRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(workspaceId: string, taskId: string, id: string): Promise<Comment | null> {
    const comment = fromDocOrNull<Comment>(await this.#documents.byId('comments', id, workspaceId));
    return comment?.taskId === taskId ? comment : null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Comment | null> {
    return fromDocOrNull(await this.#documents.byValue('comments', 'externalId', externalId, workspaceId));
  }

  async ofTask(workspaceId: string, taskId: string): Promise<readonly Comment[]> {
    const filter = { ...within(workspaceId), taskId: { $eq: taskId } };
    const docs = await this.#documents.query({ from: 'comments', filter, sort: { createdAt: 1, _id: 1 }, workspaceId });
    return docs.map((doc) => fromDoc<Comment>(doc));
  }

  async insert(comment: Comment): Promise<void> {
    await this.#documents.insert('comments', toDoc(comment));
  }

  async replace(comment: Comment): Promise<void> {
    await this.#documents.replace('comments', toDoc(comment));
  }

  async remove(comment: Comment): Promise<void> {
    await this.#documents.remove('comments', comment.id, comment.workspaceId);
  }

  async removeOfTask(workspaceId: string, taskId: string): Promise<void> {
    const filter = { ...within(workspaceId), taskId: { $eq: taskId } };
    await this.#documents.writeUnindexed('comments', { deleteMany: { filter } }, workspaceId);
  }
}
