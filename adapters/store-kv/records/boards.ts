import type { Board } from '../../../core/model/board.ts';
import type { BoardRepository } from '../../../core/ports/store.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { idKey, textKey } from '../engine/key.ts';
import type { Kv } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvBoards implements BoardRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async get(workspaceId: string, id: string): Promise<Board | null> {
    return this.#get(workspaceId, idKey(id));
  }

  async many(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Board>> {
    const found = new Map<string, Board>();
    for (const id of ids) {
      const board = this.#get(workspaceId, idKey(id));
      if (board !== null) found.set(id, board);
    }
    return found;
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Board | null> {
    const space = this.#spaces.key(workspaceId);
    const id = space === null ? undefined : this.#kv.get(PREFIX.boardByExternalId + space + textKey(externalId));
    return id === undefined ? null : this.#get(workspaceId, id as string);
  }

  async insert(board: Board): Promise<void> {
    this.#put(board, null);
  }

  async replace(board: Board): Promise<void> {
    this.#put(board, this.#get(board.workspaceId, idKey(board.id)));
  }

  async remove(board: Board): Promise<void> {
    const space = this.#spaces.claim(board.workspaceId);
    const stored = this.#get(board.workspaceId, idKey(board.id));
    this.#kv.remove(PREFIX.board + space + idKey(board.id));
    if (stored !== null && stored.externalId !== null) {
      this.#kv.remove(PREFIX.boardByExternalId + space + textKey(stored.externalId));
    }
  }

  #get(workspaceId: string, id: string): Board | null {
    const space = this.#spaces.key(workspaceId);
    return space === null ? null : ((this.#kv.get(PREFIX.board + space + id) as Board | undefined) ?? null);
  }

  #put(board: Board, before: Board | null): void {
    const space = this.#spaces.claim(board.workspaceId);
    const id = idKey(board.id);
    const wasExternal = before?.externalId ?? null;
    if (wasExternal !== board.externalId) {
      const prefix = PREFIX.boardByExternalId + space;
      if (board.externalId !== null) {
        const key = prefix + textKey(board.externalId);
        if (this.#kv.get(key) !== undefined) {
          throw new EspalierError('external-id-taken', 'Another board of the workspace has this externalId.');
        }
        this.#kv.put(key, id);
      }
      if (wasExternal !== null) this.#kv.remove(prefix + textKey(wasExternal));
    }
    this.#kv.put(PREFIX.board + space + id, board);
  }
}
