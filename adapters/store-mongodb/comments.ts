import type { Comment } from '../../core/model/comment.ts';
import type { CommentRepository } from '../../core/ports/store.ts';
import { type WriteAccess, within } from './access.ts';
import { fromDoc, fromDocOrNull, toDoc } from './documents.ts';

export class MongodbComments implements CommentRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async get(workspaceId: string, taskId: string, id: string): Promise<Comment | null> {
    const comment = fromDocOrNull<Comment>(await this.#access.byId('comments', id, workspaceId));
    return comment?.taskId === taskId ? comment : null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Comment | null> {
    return fromDocOrNull(await this.#access.byValue('comments', 'externalId', externalId, workspaceId));
  }

  async ofTask(workspaceId: string, taskId: string): Promise<readonly Comment[]> {
    const filter = { ...within(workspaceId), taskId: { $eq: taskId } };
    const docs = await this.#access.ask({ from: 'comments', filter, sort: { createdAt: 1, _id: 1 }, workspaceId });
    return docs.map((doc) => fromDoc<Comment>(doc));
  }

  async insert(comment: Comment): Promise<void> {
    await this.#access.insert('comments', toDoc(comment));
  }

  async replace(comment: Comment): Promise<void> {
    await this.#access.replace('comments', toDoc(comment));
  }

  async remove(comment: Comment): Promise<void> {
    await this.#access.remove('comments', comment.id, comment.workspaceId);
  }

  async removeOfTask(workspaceId: string, taskId: string): Promise<void> {
    const filter = { ...within(workspaceId), taskId: { $eq: taskId } };
    await this.#access.other('comments', { deleteMany: { filter } }, workspaceId);
  }
}
