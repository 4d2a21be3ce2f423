import { isCredential } from '../cache/store-caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { TASK_EXTRAS } from '../query/documents.ts';
import type { Doc, Query } from '../query/query.ts';
import { type QueryScope, runQuery } from '../query/run-query.ts';
import type { IdentityMap } from './identity-map.ts';
import { queryUserVersion, type UserLocks, userVersionIn } from './user-locks.ts';
import type { WriteBuffer } from './write-buffer.ts';

/**
 * Answers the queries of one transaction: from what it has read or written, with users as they are cached, else from
 * the database. What is buffered is sent before a query that could miss it.
 */
export class TransactionReader {
  readonly #scope: QueryScope;
  readonly #documents: IdentityMap;
  readonly #users: UserLocks;
  readonly #buffer: WriteBuffer;
  readonly #flush: (from: DocumentCollection) => Promise<void>;

  constructor(
    scope: QueryScope,
    documents: IdentityMap,
    users: UserLocks,
    buffer: WriteBuffer,
    flush: (from: DocumentCollection) => Promise<void>,
  ) {
    this.#scope = scope;
    this.#documents = documents;
    this.#users = users;
    this.#buffer = buffer;
    this.#flush = flush;
  }

  async answer(query: Query): Promise<readonly Doc[]> {
    const { from, one } = query;
    const known = this.#documents.find(query);
    if (known !== undefined) return known === null ? [] : [known];
    if (one === undefined || this.#buffer.hasUnindexed(from)) await this.#flush(from);
    for (const other of query.alsoReads ?? []) await this.#flush(other);
    const cached = this.#users.cached(query);
    if (cached !== undefined) return [cached];
    if (one === undefined) {
      const found = await this.#run(query);
      // They are whole, apart from fields that are derived when they are written.
      if (query.project === TASK_EXTRAS) this.#documents.seed(from, found);
      return found;
    }
    const [found] = from === 'users' ? await this.#findUser(query) : await this.#run(query);
    const doc = this.#documents.add(query, found ?? null);
    if (doc !== null && 'field' in one && isCredential(from, one.field)) this.#users.addCredential(from, doc);
    return doc === null ? [] : [doc];
  }

  /** Finds documents of workspaces by id, with one command for each collection, to be known when they are asked for. */
  async readAhead(queries: readonly Query[]): Promise<void> {
    const unknown = new Map<
      string,
      { readonly from: DocumentCollection; readonly workspaceId: string; ids: string[] }
    >();
    for (const query of queries) {
      const { from, one, workspaceId } = query;
      if (workspaceId === undefined || one === undefined || !('id' in one)) continue;
      if (this.#buffer.hasUnindexed(from) || this.#documents.find(query) !== undefined) continue;
      const key = `${from} ${workspaceId}`;
      const together = unknown.get(key) ?? { from, workspaceId, ids: [] };
      unknown.set(key, together);
      together.ids.push(one.id);
    }
    for (const { from, workspaceId, ids } of unknown.values()) {
      // A single one is found when it is asked for.
      if (ids.length === 1) continue;
      this.#documents.seed(from, await this.#run({ from, workspaceId, filter: { _id: { $in: ids } } }));
    }
  }

  #run(query: Query): Promise<readonly Doc[]> {
    return runQuery(this.#scope, query, false);
  }

  /** With the version, so that the user can be cached. */
  async #findUser(query: Query): Promise<readonly Doc[]> {
    const [user] = await this.#run(query);
    if (user === undefined) return [];
    this.#users.addRead({ user, version: userVersionIn(await this.#run(queryUserVersion(user._id))) });
    return [user];
  }
}
