import { expect } from 'chai';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import type { Engine } from '../../../../core/engine.ts';
import type { BoardView, ChangeEvent, Session, TaskView } from '../../../../core/index.ts';
import { sessionOf } from '../../../../core/session.ts';
import type { Store } from '../../../../core/ports/store.ts';
import type { Random } from '../../../contract/random.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { canarySight, type CanarySight, wordsOf } from './canary-sight.ts';

const BEARER = 'Bearer ';

/** Asks the service as it is sent over HTTP. Users sign in by their id. */
export type Ask = (userId: string, path: string, accept?: string) => Promise<Response>;

export function askedOverHttp(engine: Engine): Ask {
  const app = createHttpApp({
    engine,
    identity: {
      authenticate: async (given) =>
        given?.startsWith(BEARER) === true ? { kind: 'user', userId: given.slice(BEARER.length) } : null,
    },
    ready: () => Promise.resolve(),
    timers: new ManualTimers(),
  });
  return async (userId, path, accept = 'application/json') => {
    const headers = { authorization: BEARER + userId, accept };
    return app.fetch(new Request(`http://localhost/api/workspace/${path}`, { headers }));
  };
}

/** A cursor, and when its reader got it. */
interface Given {
  readonly cursor: string;
  readonly time: number;
}

/** One user in one workspace: all cursors that they ever got, and what they might be told at each time. */
export class CanaryReader {
  readonly #store: Store;
  readonly #ask: Ask;
  readonly #userId: string;
  readonly #workspaceId: string;
  /** Since each time, by when it was. Null: they were no member. */
  readonly #sights: (CanarySight | null)[] = [];
  readonly #cursors: Given[] = [];
  #stream: { readonly body: ReadableStreamDefaultReader<Uint8Array>; readonly time: number } | null = null;
  #waiting = false;
  /** What streams and long polls have sent that was not looked at yet, and since when they may tell of it. */
  #sent: { readonly text: string; readonly time: number }[] = [];

  constructor(store: Store, ask: Ask, userId: string, workspaceId: string) {
    this.#store = store;
    this.#ask = ask;
    this.#userId = userId;
    this.#workspaceId = workspaceId;
  }

  get #now(): number {
    return this.#sights.length - 1;
  }

  /** To be called after each write: notes what may be seen from then on, and looks at what has been sent since. */
  async look(): Promise<void> {
    this.#sights.push(await canarySight(this.#store, this.#workspaceId, this.#userId));
    for (const { text, time } of this.#sent.splice(0)) this.#requireSeen(text, time, 'a stream or a long poll sent');
    const answer = await this.#ask(this.#userId, this.#workspaceId);
    expect(answer.status === 200).to.equal(this.#sights.at(-1) !== null);
    const cursor = answer.headers.get('espalier-cursor');
    if (cursor !== null) this.#cursors.push({ cursor, time: this.#now });
    this.#watch();
    this.#poll();
  }

  /** Every id and canary in it was seen at some time since. */
  #requireSeen(text: string, since: number, what: string): void {
    const seen = this.#seenSince(since);
    for (const word of wordsOf(text)) expect(seen.has(word), `${what} ${word}: ${text}`).to.equal(true);
  }

  #seenSince(time: number): ReadonlySet<string> {
    const all = new Set([this.#workspaceId]);
    for (const sight of this.#sights.slice(time)) for (const word of sight?.words ?? []) all.add(word);
    return all;
  }

  /** Opens a stream if there is none. */
  #watch(): void {
    if (this.#stream !== null || this.#sights.at(-1) === null) return;
    const time = this.#now;
    const read = async () => {
      const path = `${this.#workspaceId}/changes?include=record`;
      const { body } = await this.#ask(this.#userId, path, 'text/event-stream');
      const stream = { body: body!.getReader(), time };
      this.#stream = stream;
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await stream.body.read();
        if (done) break;
        this.#sent.push({ text: decoder.decode(value, { stream: true }), time });
      }
      this.#stream = null;
    };
    void read();
  }

  /** Waits for the next events if it does not yet. */
  #poll(): void {
    const last = this.#cursors.at(-1);
    if (this.#waiting || last === undefined) return;
    this.#waiting = true;
    const wait = async () => {
      const path = `${this.#workspaceId}/changes?since=${last.cursor}&wait=60&include=record`;
      const answer = await this.#ask(this.#userId, path);
      this.#sent.push({ text: await answer.text(), time: last.time });
      this.#waiting = false;
    };
    void wait();
  }

  /** Follows from one of their earlier cursors, or from all of them. */
  async followSome(engine: Engine, random: Random): Promise<void> {
    if (this.#cursors.length > 0) await this.#follow(engine, random.pick(this.#cursors), random.pick([1, 3, 500]));
  }

  async followAll(engine: Engine): Promise<void> {
    for (const given of this.#cursors) await this.#follow(engine, given, 500);
  }

  async #follow(engine: Engine, { cursor, time }: Given, limit: number): Promise<void> {
    const at = { workspaceId: this.#workspaceId };
    const session = sessionOf(engine, { kind: 'user', userId: this.#userId });
    for (let since: string | null = cursor; since !== null;) {
      const asked = session.changes.list({ ...at, since, limit, include: ['record'] });
      if (this.#sights.at(-1) === null) {
        expect(await outcome(asked)).to.equal('not-found');
        return;
      }
      const answer: Awaited<typeof asked> = await asked;
      for (const event of answer.items) await this.#requireOfNow(session, event, time);
      since = answer.next;
    }
  }

  /**
   * An event holds nothing but what its reader may see now; one that takes something away also its id, which they saw at
   * some time since the cursor. Its numbers count what they see, and its record is as they read it.
   */
  async #requireOfNow(session: Session, event: ChangeEvent, since: number): Promise<void> {
    const { id, type, record, ...others } = event;
    const { words, tasksIn, linked } = this.#sights.at(-1)!;
    const text = JSON.stringify(event);
    for (const word of wordsOf(JSON.stringify([others, record]))) {
      expect(words.has(word) || word === id, `an event holds ${word}: ${text}`).to.equal(true);
    }
    const known = /\.(?:hide|delete)$/.test(type) ? this.#seenSince(since) : words;
    expect(id === null || known.has(id), `an event names ${id}: ${text}`).to.equal(true);
    if (record === undefined) return;
    const at = { workspaceId: this.#workspaceId };
    if (type.startsWith('task.')) {
      const { parentTaskId, childCount, childDone, blocked } = record as TaskView;
      expect({ parentTaskId, childCount, childDone, blocked }, text).to.deep.equal(linked.get(id!));
      expect(record, text).to.deep.equal(await session.tasks.get({ ...at, taskId: id! }));
    } else if (type.startsWith('board.')) {
      for (const status of (record as BoardView).statuses) {
        expect(status.taskCount, text).to.equal(tasksIn.get(status.id) ?? 0);
      }
      expect(record, text).to.deep.equal(await session.boards.get({ ...at, boardId: id! }));
    } else if (type.startsWith('page.')) {
      expect(record, text).to.deep.equal(await session.pages.get({ ...at, pageId: id! }));
    }
  }

  async end(): Promise<void> {
    await this.#stream?.body.cancel();
  }
}
