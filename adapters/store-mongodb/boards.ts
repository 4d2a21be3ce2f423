import type { Board } from '../../core/model/board.ts';
import type { BoardRepository } from '../../core/ports/store.ts';
import { type WriteAccess, within } from './access.ts';
import { fromDoc, fromDocOrNull, toDoc } from './documents.ts';

export class MongodbBoards implements BoardRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async get(workspaceId: string, id: string): Promise<Board | null> {
    return fromDocOrNull(await this.#access.byId('boards', id, workspaceId));
  }

  async many(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Board>> {
    if (ids.length === 0) return new Map();
    if (ids.length === 1) {
      const board = await this.get(workspaceId, ids[0] as string);
      return new Map(board === null ? [] : [[board.id, board]]);
    }
    const filter = { ...within(workspaceId), _id: { $in: [...ids] } };
    const docs = await this.#access.ask({ from: 'boards', filter, workspaceId });
    return new Map(docs.map((doc) => [doc._id, fromDoc<Board>(doc)]));
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Board | null> {
    return fromDocOrNull(await this.#access.byValue('boards', 'externalId', externalId, workspaceId));
  }

  async insert(board: Board): Promise<void> {
    await this.#access.insert('boards', toDoc(board));
  }

  async replace(board: Board): Promise<void> {
    await this.#access.replace('boards', toDoc(board));
  }

  async remove(board: Board): Promise<void> {
    await this.#access.remove('boards', board.id, board.workspaceId);
  }
}
