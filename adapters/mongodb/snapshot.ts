import type { ClientSession, Db } from 'mongodb';
import { type Ask, askById, askByValue, type Derived, type Doc, type Space, type WriteAccess } from './access.ts';
import { Batch } from './batch.ts';
import type { CollectionName } from './collections.ts';
import { answerOne, answerTogether } from './queries.ts';
import { toSpace } from './space.ts';

/**
 * Reads outside a transaction, all from one snapshot: the first answer fixes its time, the session keeps
 * it. What is asked in one turn costs one round trip.
 */
export class Snapshot implements WriteAccess {
  readonly writing = false;
  readonly derived: Derived = { get: () => undefined, set: () => undefined };
  readonly #batch: Batch;
  readonly #session: ClientSession;
  #over = false;

  constructor(db: Db, session: ClientSession, unions: boolean) {
    this.#session = session;
    this.#batch = new Batch(async (asks) => {
      if (this.#over) throw new Error('The read is over.');
      if (unions && asks.length > 1) return answerTogether(db, session, asks);
      const answers: (readonly Doc[])[] = [];
      for (const ask of asks) answers.push(await answerOne(db, session, ask));
      return answers;
    });
  }

  ask(ask: Ask): Promise<readonly Doc[]> {
    return this.#batch.ask(ask);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    return (await this.ask(askById(from, id, workspaceId)))[0] ?? null;
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    return (await this.ask(askByValue(from, field, value, workspaceId)))[0] ?? null;
  }

  async space(workspaceId: string): Promise<Space | null> {
    return toSpace(await this.byId('locks', workspaceId));
  }

  dependsOn(): void {
    // A snapshot depends on nothing that comes later.
  }

  async claim(): Promise<void> {
    // Nor does it exclude anyone.
  }

  claimUser = onlyReads;
  insert = onlyReads;
  replace = onlyReads;
  remove = onlyReads;
  other = onlyReads;
  setSpace = onlyReads;

  async end(): Promise<void> {
    this.#over = true;
    await this.#batch.idle();
    await this.#session.endSession();
  }
}

/** The types of a read leave no way to it. */
async function onlyReads(): Promise<never> {
  throw new Error('A read does not write.');
}
