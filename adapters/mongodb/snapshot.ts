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
import { answerOne, answerTogether } from './queries.ts';
import type { Recall } from './recall.ts';
import { toSpace } from './space.ts';

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
  readonly #guesses = new Map<Ask, string>();
  readonly #checks: Promise<unknown>[] = [];
  #tellWrong!: () => void;
  #guessing: boolean;
  #isWrong = false;
  #answered = false;
  #over = false;

  /** @param guessing whether to go on with what is recalled until the first answer */
  constructor(db: Db, session: ClientSession, unions: boolean, recall: Recall, guessing: boolean) {
    this.#session = session;
    this.#recall = recall;
    this.#guessing = guessing;
    this.wrong = new Promise((resolve) => (this.#tellWrong = resolve));
    this.#batch = new Batch(async (asks) => {
      if (this.#over) throw new Error('The read is over.');
      this.#guessing = false;
      const answers = await answerAll(db, session, asks, unions);
      if (this.#check(asks, answers)) return answers;
      this.#isWrong = true;
      this.#tellWrong();
      return new Promise(() => undefined);
    });
  }

  /** Whether an answer was given that is certain. What is read from then on is read once. */
  get answered(): boolean {
    return this.#answered;
  }

  async ask(ask: Ask): Promise<readonly Doc[]> {
    const guess = this.#guessing && ask.recall !== undefined ? this.#recall.get(ask.recall) : undefined;
    const asking = this.#batch.ask(ask);
    if (guess === undefined) return asking;
    this.#guesses.set(ask, JSON.stringify(guess));
    this.#checks.push(asking);
    asking.catch(() => undefined);
    return guess;
  }

  /** Whether all that it went on with has turned out to be so. Nothing that came of it counts before. */
  holds(): Promise<boolean> {
    return Promise.race([Promise.all(this.#checks).then(() => true), this.wrong.then(() => false)]);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    const ask = askById(from, id, workspaceId);
    return (
      (await this.ask(RECALLED.has(from) ? { ...ask, recall: `${from} ${workspaceId ?? ''} ${id}` } : ask))[0] ?? null
    );
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    return (await this.ask(askByValue(from, field, value, workspaceId)))[0] ?? null;
  }

  async space(workspaceId: string): Promise<Space | null> {
    const project = { revision: 1, open: 1, born: 1 } as const;
    const [doc] = await this.ask({ ...askById('locks', workspaceId), project, recall: `space ${workspaceId}` });
    return toSpace(doc ?? null);
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

  #check(asks: readonly Ask[], answers: readonly (readonly Doc[])[]): boolean {
    let right = true;
    for (const [i, ask] of asks.entries()) {
      const answer = answers[i] ?? [];
      if (ask.recall !== undefined) this.#recall.learn(ask.recall, answer);
      const guess = this.#guesses.get(ask);
      if (guess !== undefined && guess !== JSON.stringify(answer)) right = false;
    }
    this.#answered ||= right;
    return right;
  }
}

async function answerAll(db: Db, session: ClientSession, asks: readonly Ask[], unions: boolean) {
  if (unions && asks.length > 1) return answerTogether(db, session, asks);
  const answers: (readonly Doc[])[] = [];
  for (const ask of asks) answers.push(await answerOne(db, session, ask));
  return answers;
}

/** Small, and what many reads begin with. */
const RECALLED: ReadonlySet<CollectionName> = new Set(['users', 'boards']);

/** The types of a read leave no way to it. */
async function onlyReads(): Promise<never> {
  throw new Error('A read does not write.');
}
