import type { Comment } from '../../../core/model/comment.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { CommentRepository } from '../../../core/ports/store.ts';
import { idKey, textKey, timeKey } from '../engine/key.ts';
import { type Kv, scan, prefixRange } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/** Stored by task, creation time and id, so that the comments of a task are adjacent and in order. */
export class KvComments implements CommentRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async get(workspaceId: string, taskId: string, id: string): Promise<Comment | null> {
    const comment = this.#byId(workspaceId, idKey(id));
    return comment?.taskId === taskId ? comment : null;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Comment | null> {
    const space = this.#spaces.key(workspaceId);
    const id = space === null ? undefined : this.#kv.get(PREFIX.commentByExternalId + space + textKey(externalId));
    return id === undefined ? null : this.#byId(workspaceId, id as string);
  }

  async ofTask(workspaceId: string, taskId: string): Promise<readonly Comment[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    return Array.from(
      scan(this.#kv, prefixRange(PREFIX.comment + space + idKey(taskId))),
      ([, value]) => value as Comment,
    );
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

  async removeOfTask(workspaceId: string, taskId: string, limit = Infinity): Promise<boolean> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return false;
    const found = this.#kv.range(prefixRange(PREFIX.comment + space + idKey(taskId)), limit + 1, false);
    for (const [, comment] of found.slice(0, limit)) this.#remove(space, comment as Comment);
    return found.length > limit;
  }

  #byId(workspaceId: string, id: string): Comment | null {
    const space = this.#spaces.key(workspaceId);
    const place = space === null ? undefined : this.#kv.get(PREFIX.commentById + space + id);
    if (place === undefined) return null;
    return (this.#kv.get(PREFIX.comment + space + (place as string)) as Comment | undefined) ?? null;
  }

  #put(comment: Comment, before: Comment | null): void {
    const space = this.#spaces.claim(comment.workspaceId);
    if (comment.externalId !== null && comment.externalId !== (before?.externalId ?? null)) {
      if (this.#kv.get(PREFIX.commentByExternalId + space + textKey(comment.externalId)) !== undefined) {
        throw new EspalierError('external-id-taken', 'Another comment of the workspace has this externalId.');
      }
    }
    if (before !== null) this.#remove(space, before);
    const id = idKey(comment.id);
    const place = placeOf(comment);
    this.#kv.put(PREFIX.comment + space + place, comment);
    this.#kv.put(PREFIX.commentById + space + id, place);
    if (comment.externalId !== null) {
      this.#kv.put(PREFIX.commentByExternalId + space + textKey(comment.externalId), id);
    }
  }

  #remove(space: string, comment: Comment): void {
    this.#kv.remove(PREFIX.comment + space + placeOf(comment));
    this.#kv.remove(PREFIX.commentById + space + idKey(comment.id));
    if (comment.externalId !== null) {
      this.#kv.remove(PREFIX.commentByExternalId + space + textKey(comment.externalId));
    }
  }
}

function placeOf(comment: Comment): string {
  return idKey(comment.taskId) + timeKey(comment.createdAt) + idKey(comment.id);
}
