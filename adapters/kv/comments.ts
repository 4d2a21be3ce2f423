import type { Comment } from '../../core/comment/comment.ts';
import { EspalierError } from '../../core/errors.ts';
import type { CommentRepository } from '../../core/store.ts';
import { idKey, textKey, timeKey } from './key.ts';
import { type Kv, scan, within } from './kv.ts';
import type { Spaces } from './spaces.ts';
import { table } from './table.ts';

/** Kept under task, creation and id, so that the comments of a task lie together and in order. */
export class KvComments implements CommentRepository {
  readonly #kv: Kv;
  readonly #spaces: Spaces;

  constructor(kv: Kv, spaces: Spaces) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async get(workspaceId: string, taskId: string, id: string): Promise<Comment | null> {
    const comment = this.#byId(workspaceId, idKey(id));
    return comment?.taskId === taskId ? comment : null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Comment | null> {
    const space = this.#spaces.key(workspaceId);
    const id = space === null ? undefined : this.#kv.get(table.commentByExternalId + space + textKey(externalId));
    return id === undefined ? null : this.#byId(workspaceId, id as string);
  }

  async ofTask(workspaceId: string, taskId: string): Promise<readonly Comment[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    return Array.from(scan(this.#kv, within(table.comment + space + idKey(taskId))), ([, value]) => value as Comment);
  }

  async insert(comment: Comment): Promise<void> {
    this.#put(comment, null);
  }

  async replace(comment: Comment): Promise<void> {
    this.#put(comment, this.#byId(comment.workspaceId, idKey(comment.id)));
  }

  async remove(comment: Comment): Promise<void> {
    const stored = this.#byId(comment.workspaceId, idKey(comment.id));
    if (stored !== null) this.#remove(this.#spaces.claim(comment.workspaceId), stored);
  }

  async removeOfTask(workspaceId: string, taskId: string): Promise<void> {
    for (const comment of await this.ofTask(workspaceId, taskId)) {
      this.#remove(this.#spaces.claim(workspaceId), comment);
    }
  }

  #byId(workspaceId: string, id: string): Comment | null {
    const space = this.#spaces.key(workspaceId);
    const place = space === null ? undefined : this.#kv.get(table.commentById + space + id);
    if (place === undefined) return null;
    return (this.#kv.get(table.comment + space + (place as string)) as Comment | undefined) ?? null;
  }

  #put(comment: Comment, before: Comment | null): void {
    const space = this.#spaces.claim(comment.workspaceId);
    if (comment.externalId !== null && comment.externalId !== (before?.externalId ?? null)) {
      if (this.#kv.get(table.commentByExternalId + space + textKey(comment.externalId)) !== undefined) {
        throw new EspalierError('external-id-taken', 'Another comment of the workspace has this externalId.');
      }
    }
    if (before !== null) this.#remove(space, before);
    const id = idKey(comment.id);
    const place = placeOf(comment);
    this.#kv.put(table.comment + space + place, comment);
    this.#kv.put(table.commentById + space + id, place);
    if (comment.externalId !== null) {
      this.#kv.put(table.commentByExternalId + space + textKey(comment.externalId), id);
    }
  }

  #remove(space: string, comment: Comment): void {
    this.#kv.remove(table.comment + space + placeOf(comment));
    this.#kv.remove(table.commentById + space + idKey(comment.id));
    if (comment.externalId !== null) {
      this.#kv.remove(table.commentByExternalId + space + textKey(comment.externalId));
    }
  }
}

function placeOf(comment: Comment): string {
  return idKey(comment.taskId) + timeKey(comment.createdAt) + idKey(comment.id);
}
