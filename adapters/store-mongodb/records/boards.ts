import type { Board } from '../../../core/model/board.ts';
import type { BoardRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { within } from '../query/query.ts';
import { fromDoc, fromDocOrNull, toDoc } from '../query/documents.ts';

export class MongodbBoards implements BoardRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(workspaceId: string, id: string): Promise<Board | null> {
    return fromDocOrNull(await this.#documents.byId('boards', id, workspaceId));
  }

  async many(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Board>> {
    if (ids.length === 0) return new Map();
    if (ids.length === 1) {
      const board = await this.get(workspaceId, ids[0] as string);
      return new Map(board === null ? [] : [[board.id, board]]);
    }
    const filter = { ...within(workspaceId), _id: { $in: [...ids] } };
    const docs = await this.#documents.query({ from: 'boards', filter, workspaceId });
    return new Map(docs.map((doc) => [doc._id, fromDoc<Board>(doc)]));
  }

  async byExternalId(workspaceId: string, externalId: string): Promise<Board | null> {
    return fromDocOrNull(await this.#documents.byValue('boards', 'externalId', externalId, workspaceId));
  }

  async insert(board: Board): Promise<void> {
    await this.#documents.insert('boards', toDoc(board));
  }

  async replace(board: Board): Promise<void> {
    await this.#documents.replace('boards', toDoc(board));
  }

  async remove(board: Board): Promise<void> {
    await this.#documents.remove('boards', board.id, board.workspaceId);
  }
}
