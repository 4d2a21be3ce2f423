import type { ClientSession, Db } from 'mongodb';
import {
  type Ask,
  askById,
  askByValue,
  type Derived,
  type Doc,
  NO_SPACE,
  type Space,
  type WriteAccess,
} from './access.ts';
import { Batch } from './batch.ts';
import type { CollectionName } from './collections.ts';
import { askStamp, stampIn, withStamp } from './locks.ts';
import { isCredential, type People, type Person } from './people.ts';
import { answerOne } from './queries.ts';
import type { Recall } from './recall.ts';
import { toSpace } from './space.ts';
import { answerTogether } from './together.ts';

/** What earlier reads and writes have left behind. */
export interface Remembered {
  readonly recall: Recall;
  readonly people: People;
}

/**
 * Reads outside a transaction, all from one snapshot: the first answer fixes its time, the session keeps
 * it. What is asked in one turn costs one round trip.
 */
export class Snapshot implements WriteAccess {
  readonly writing = false;
  readonly derived: Derived = { get: () => undefined, set: () => undefined };
  /** Resolves when a guess was wrong. Then nothing that is still asked is ever answered. */
  readonly wrong: Promise<void>;
  readonly #batch: Batch;
  readonly #session: ClientSession;
  readonly #recall: Recall;
  readonly #people: People;
  /** Users that came along with what was asked for. */
  readonly #users = new Map<string, Doc>();
  /** Told the answer before anybody else is. False: the read went on with something else. */
  readonly #heeding = new Map<Ask, (answer: readonly Doc[]) => boolean>();
  readonly #checks: Promise<unknown>[] = [];
  #tellWrong!: () => void;
  #guessing: boolean;
  #isWrong = false;
  #answered = false;
  #over = false;

  /** @param guessing whether to go on with what is remembered until the first answer */
  constructor(db: Db, session: ClientSession, unions: boolean, { recall, people }: Remembered, guessing: boolean) {
    this.#session = session;
    this.#recall = recall;
    this.#people = people;
    this.#guessing = guessing;
    this.wrong = new Promise((resolve) => (this.#tellWrong = resolve));
    this.#batch = new Batch(async (asks) => {
      if (this.#over) throw new Error('The read is over.');
      this.#guessing = false;
      const answers = await answerAll(db, session, asks, unions);
      if (this.#heed(asks, answers)) return answers;
      this.#isWrong = true;
      this.#tellWrong();
      return new Promise(() => undefined);
    });
  }

  /** Whether an answer was given that is certain. What is read from then on is read once. */
  get answered(): boolean {
    return this.#answered;
  }

  ask(ask: Ask): Promise<readonly Doc[]> {
    return this.#batch.ask(ask);
  }

  /** Whether all that it went on with has turned out to be so. Nothing that came of it counts before. */
  holds(): Promise<boolean> {
    return Promise.race([Promise.all(this.#checks).then(() => true), this.wrong.then(() => false)]);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    if (from === 'users') return this.#user(id);
    const ask = askById(from, id, workspaceId);
    if (from !== 'boards') return only(await this.ask(ask));
    return this.#recalled(`board ${workspaceId ?? ''} ${id}`, ask, only);
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    const ask = askByValue(from, field, value, workspaceId);
    return isCredential(from, field) ? this.#credential(from, value, ask) : only(await this.ask(ask));
  }

  async space(workspaceId: string): Promise<Space | null> {
    return this.#recalled(`space ${workspaceId}`, askById('locks', workspaceId), ([doc]) => {
      const space = toSpace(doc ?? null);
      // The rest changes with every task.
      return space === null ? null : { ...space, nums: NO_SPACE.nums, tally: NO_SPACE.tally };
    });
  }

  async counters(workspaceId: string): Promise<Pick<Space, 'nums' | 'tally'>> {
    return toSpace(await this.byId('locks', workspaceId)) ?? NO_SPACE;
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
    if (!this.#isWrong) await this.#batch.idle();
    await this.#session.endSession();
  }

  async #user(id: string): Promise<Doc | null> {
    const here = this.#users.get(id);
    if (here !== undefined) return here;
    const known = this.#guessing ? this.#people.user(id) : undefined;
    if (known !== undefined) return this.#goBy(known, known.user);
    const [found] = await this.ask({ ...askById('users', id), finish: [withStamp('$_id')] });
    if (found === undefined) return null;
    const { stamps, ...user } = found;
    this.#learn({ user, stamp: stampIn(stamps as Doc[]) });
    return user;
  }

  /** Its user comes along. */
  async #credential(from: CollectionName, value: string, ask: Ask): Promise<Doc | null> {
    const known = this.#guessing ? this.#people.shown(from, value) : undefined;
    if (known !== undefined) return this.#goBy(known.person, known.credential);
    const [found] = await this.ask({ ...ask, finish: [WITH_USER, withStamp('$userId')] });
    if (found === undefined) return null;
    const { users, stamps, ...credential } = found;
    const stamp = stampIn(stamps as Doc[]);
    const [user] = users as Doc[];
    if (user !== undefined) this.#learn({ user, stamp });
    this.#people.learnCredential(from, credential, stamp);
    return credential;
  }

  #learn(person: Person): void {
    this.#users.set(person.user._id, person.user);
    this.#people.learn(person);
  }

  /** Goes on with what is known of a user, if nothing of them has changed. */
  #goBy({ user, stamp }: Person, known: Doc): Doc {
    const { _id: userId } = user;
    if (!this.#users.has(userId)) {
      this.#users.set(userId, user);
      this.#suppose(askStamp(userId), (answer) => {
        const right = stampIn(answer) === stamp;
        if (!right) this.#people.forget(userId);
        return right;
      });
    }
    return known;
  }

  /** What is asked for; as it was the last time, if that is known and is still so. */
  async #recalled<T extends object>(
    question: string,
    ask: Ask,
    read: (answer: readonly Doc[]) => T | null,
  ): Promise<T | null> {
    const before = this.#guessing ? this.#recall.get(question) : undefined;
    const heed = (answer: readonly Doc[]): boolean => {
      const now = this.#recall.learn(question, read(answer));
      return before === undefined || before.text === now;
    };
    if (before !== undefined) {
      this.#suppose(ask, heed);
      return before.value as T;
    }
    this.#heeding.set(ask, heed);
    return read(await this.ask(ask));
  }

  /** Asks for what the read goes on without. */
  #suppose(ask: Ask, heed: (answer: readonly Doc[]) => boolean): void {
    this.#heeding.set(ask, heed);
    const asking = this.ask(ask);
    this.#checks.push(asking);
    asking.catch(() => undefined);
  }

  #heed(asks: readonly Ask[], answers: readonly (readonly Doc[])[]): boolean {
    let right = true;
    for (const [i, ask] of asks.entries()) {
      if (this.#heeding.get(ask)?.(answers[i] ?? []) === false) right = false;
    }
    this.#answered ||= right;
    return right;
  }
}

const WITH_USER = { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'users' } };

function only([doc]: readonly Doc[]): Doc | null {
  return doc ?? null;
}

async function answerAll(db: Db, session: ClientSession, asks: readonly Ask[], unions: boolean) {
  if (unions && asks.length > 1) return answerTogether(db, session, asks);
  const answers: (readonly Doc[])[] = [];
  for (const ask of asks) answers.push(await answerOne(db, session, ask, unions));
  return answers;
}

/** The types of a read leave no way to it. */
async function onlyReads(): Promise<never> {
  throw new Error('A read does not write.');
}
