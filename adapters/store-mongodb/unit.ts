import {
  type Ask,
  askById,
  askByValue,
  type Derived,
  type Doc,
  NO_SPACE,
  type Space,
  type Write,
  type WriteAccess,
} from './access.ts';
import { Batch } from './batch.ts';
import type { CollectionName } from './collections.ts';
import { isCredential, type People, type Person } from './people.ts';
import type { GroupTransaction } from './transaction.ts';

/**
 * One run of one writer. It begins at once, and waits at its first query until it is admitted to a
 * transaction; by then it is known which workspace it is about.
 */
export class Unit implements WriteAccess {
  readonly writing = true;
  readonly #batch: Batch;
  readonly #onEnter: (workspaceId: string | null) => void;
  readonly #admitted: Promise<GroupTransaction>;
  #admit!: (transaction: GroupTransaction) => void;
  #transaction: GroupTransaction | null = null;
  /** The first that it is about. */
  workspaceId: string | null = null;
  /** Users that it went on with as they were known before. */
  readonly guesses = new Map<string, Person>();
  readonly #people: People | null;
  #entered = false;
  #over = false;

  /**
   * @param onEnter called once, when a transaction is needed
   * @param people to go by until then; null: none
   */
  constructor(onEnter: (workspaceId: string | null) => void, people: People | null) {
    this.#onEnter = onEnter;
    this.#people = people;
    this.#admitted = new Promise((resolve) => {
      this.#admit = resolve;
    });
    this.#batch = new Batch(async (asks) => {
      const about = asks.find((ask) => ask.workspaceId !== undefined)?.workspaceId ?? null;
      return (await this.#enter(about)).answer(asks);
    });
  }

  get entered(): boolean {
    return this.#entered;
  }

  get admitted(): boolean {
    return this.#transaction !== null;
  }

  get derived(): Derived {
    // Only asked for behind a query or a write, and so within a transaction.
    return (this.#transaction as GroupTransaction).derived;
  }

  admit(transaction: GroupTransaction): void {
    this.#transaction = transaction;
    this.#admit(transaction);
  }

  /** What still runs of the writer gets no further. Resolves when nothing of it is under way. */
  async end(): Promise<void> {
    this.#over = true;
    await this.#batch.idle();
  }

  ask(ask: Ask): Promise<readonly Doc[]> {
    return this.#batch.ask(ask);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    const person = from === 'users' && !this.#entered ? this.#people?.user(id) : undefined;
    if (person !== undefined) return this.#guess(person, person.user);
    return (await this.ask(askById(from, id, workspaceId)))[0] ?? null;
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    const known = isCredential(from, field) && !this.#entered ? this.#people?.shown(from, value) : undefined;
    if (known !== undefined) return this.#guess(known.person, known.credential);
    return (await this.ask(askByValue(from, field, value, workspaceId)))[0] ?? null;
  }

  async space(workspaceId: string): Promise<Space | null> {
    await this.ask({ from: 'locks', filter: {}, workspaceId });
    return (await this.#enter(workspaceId)).space(workspaceId);
  }

  async counters(workspaceId: string): Promise<Pick<Space, 'nums' | 'tally'>> {
    return (await this.space(workspaceId)) ?? NO_SPACE;
  }

  dependsOn(userIds: readonly string[]): void {
    this.#transaction?.dependsOn(userIds);
  }

  async setSpace(workspaceId: string, space: Space): Promise<void> {
    (await this.#enter(workspaceId)).setSpace(workspaceId, space);
  }

  async claimUser(userId: string): Promise<void> {
    (await this.#enter(null)).claimUser(userId);
  }

  async claim(name: string): Promise<void> {
    (await this.#enter(null)).claim(name);
  }

  async insert(from: CollectionName, doc: Doc): Promise<void> {
    await this.#write(from, doc._id, doc, { insertOne: { document: doc } }, workspaceOf(doc));
  }

  async replace(from: CollectionName, doc: Doc): Promise<void> {
    const { _id, ...replacement } = doc;
    const filter = { _id: { $eq: _id } };
    await this.#write(from, _id, doc, { replaceOne: { filter, replacement, upsert: true } }, workspaceOf(doc));
  }

  async remove(from: CollectionName, id: string, workspaceId?: string): Promise<void> {
    await this.#write(from, id, null, { deleteOne: { filter: { _id: { $eq: id } } } }, workspaceId);
  }

  async other(from: CollectionName, write: Write, workspaceId?: string): Promise<void> {
    await this.#write(from, null, null, write, workspaceId);
  }

  #guess(person: Person, doc: Doc): Doc {
    this.guesses.set(person.user._id, person);
    return doc;
  }

  async #write(from: CollectionName, id: string | null, doc: Doc | null, write: Write, workspaceId?: string) {
    await (await this.#enter(workspaceId ?? null)).write(from, id, doc, write, workspaceId);
  }

  async #enter(workspaceId: string | null): Promise<GroupTransaction> {
    this.workspaceId ??= workspaceId;
    if (!this.#entered) {
      this.#entered = true;
      this.#onEnter(workspaceId);
    }
    const transaction = await this.#admitted;
    if (this.#over) throw new Error('The write is over.');
    return transaction;
  }
}

function workspaceOf(doc: Doc): string | undefined {
  const workspaceId: unknown = doc['workspaceId'];
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}
