import { expect } from 'chai';
import { createEngine, type Engine } from '../../../../core/engine.ts';
import { sessionOf } from '../../../../core/session.ts';
import type { SnapshotItem } from '../../../../core/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { firstSeed, Random } from '../../../contract/random.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { idsSeen, seen } from '../member-sight.ts';
import { Replica } from './replica.ts';
import type { Step } from '../sequence/sequence-state.ts';
import { sequenceEngine, sequencePorts, runSequence, type Watch } from '../sequence/sequences.ts';

export interface Following {
  readonly seed: number;
  /** Calls. */
  readonly length: number;
  /** Whether the process that is asked has the structures of before; else it asks to look anew. */
  readonly remembers: boolean;
}

/**
 * Has each user keep a replica of each workspace that they are in, follow the changes now and then, and compare what
 * they hold with what they see. One who is no member any more keeps the replica, and goes on with it when they are back.
 */
export async function followChanges(store: Store, options: Following): Promise<void> {
  const { seed, length, remembers } = options;
  const engine = sequenceEngine(store);
  const reading = () => (remembers ? engine : createEngine(sequencePorts(store)));
  const readers = new Readers(reading, new Random(seed + 1));
  const watch: Watch = async (step, run) => {
    readers.learn(step);
    const answer = await run();
    if ('value' in answer) readers.learn(step, answer.value);
    if (step.verb !== 'list' && step.verb !== 'get') await readers.look();
    await readers.takeMore();
    if (readers.random.once(4)) {
      await finishJobs(sequencePorts(store));
      await readers.oneFollows();
    }
    return answer;
  };
  await runSequence(engine, seed, length, watch);
  await finishJobs(sequencePorts(store));
  await readers.allFollow();
  await readers.end();
}

/** Follows the changes of so many random sequences, each on a store of its own. */
export async function followSequences(
  open: () => Promise<Store>,
  sequences: number,
  remembers = true,
  length = 150,
): Promise<void> {
  const first = firstSeed();
  for (let seed = first; seed < first + sequences; seed += 1) {
    const store = await open();
    try {
      await followChanges(store, { seed, length, remembers });
    } catch (error) {
      throw new Error(`Failed with ESPALIER_SEED=${seed}: ${String(error)}`, { cause: error });
    } finally {
      await store.close();
    }
  }
}

/** The largest numbers of changes that one answer looks at. */
const LIMITS = [1, 2, 3, 10, 100];

export class Readers {
  readonly random: Random;
  readonly #reading: () => Engine;
  readonly #users = new Set<string>();
  readonly #workspaces = new Set<string>();
  readonly #replicas = new Map<string, Replica>();
  readonly #snapshots = new Map<string, { items: AsyncIterableIterator<SnapshotItem>; taken: SnapshotItem[] }>();
  /** The ids that each has ever seen. */
  readonly #seen = new Map<string, Set<string>>();

  constructor(reading: () => Engine, random: Random) {
    this.#reading = reading;
    this.random = random;
  }

  add(userId: string, workspaceId: string): void {
    this.#users.add(userId);
    this.#workspaces.add(workspaceId);
  }

  learn({ userId, noun, verb }: Step, made?: unknown): void {
    if (userId !== null) this.#users.add(userId);
    if (noun === 'workspaces' && verb === 'create' && made !== undefined)
      this.#workspaces.add((made as { id: string }).id);
  }

  /** Notes what each of them sees now. */
  async look(): Promise<void> {
    for (const userId of this.#users) {
      const session = sessionOf(this.#reading(), { kind: 'user', userId });
      for (const workspaceId of this.#workspaces) {
        const key = `${userId} ${workspaceId}`;
        const ids = this.#seen.get(key) ?? new Set();
        this.#seen.set(key, ids);
        if ((await outcome(session.workspaces.get({ workspaceId }))) !== 'ok') continue;
        for (const id of await idsSeen(session, workspaceId)) ids.add(id);
      }
    }
  }

  async oneFollows(): Promise<void> {
    if (this.#workspaces.size === 0) return;
    const [userId, workspaceId] = [this.random.pick([...this.#users]), this.random.pick([...this.#workspaces])];
    await (this.random.once(3) ? this.#takeSnapshot(userId, workspaceId) : this.#follow(userId, workspaceId));
  }

  /** Goes on with one of the snapshots that were begun. */
  async takeMore(): Promise<void> {
    if (this.#snapshots.size === 0) return;
    const [userId, workspaceId] = this.random.pick([...this.#snapshots.keys()]).split(' ');
    await this.#takeSnapshot(userId!, workspaceId!);
  }

  /** Takes some more items of a snapshot; writes happen in between. When it is complete, it becomes their replica. */
  async #takeSnapshot(userId: string, workspaceId: string): Promise<void> {
    const key = `${userId} ${workspaceId}`;
    const session = sessionOf(this.#reading(), { kind: 'user', userId });
    const begun = this.#snapshots.get(key) ?? { items: session.changes.snapshot({ workspaceId }), taken: [] };
    this.#snapshots.set(key, begun);
    const { items, taken } = begun;
    let isDone = false;
    const takeSome = async () => {
      for (let more = this.random.below(3); more >= 0 && !isDone; more -= 1) {
        const next = await items.next();
        if (next.done === true) isDone = true;
        else taken.push(next.value);
      }
    };
    const came = await outcome(takeSome());
    if (came === 'ok' && !isDone) return;
    this.#snapshots.delete(key);
    // A reader who may see less than in the beginning is told so, and begins anew.
    expect(came).to.be.oneOf(['ok', 'snapshot-incomplete', 'not-found', 'unauthenticated']);
    if (came !== 'ok') return;
    for (const item of taken) {
      if (item.kind !== 'head') expect(this.#seen.get(key)?.has(item.record.id), JSON.stringify(item)).to.equal(true);
    }
    this.#replicas.set(key, Replica.fromSnapshot(session, workspaceId, taken));
    await this.#follow(userId, workspaceId);
  }

  /** Ends the snapshots that are not complete. */
  async end(): Promise<void> {
    for (const { items } of this.#snapshots.values()) await items.return?.();
  }

  async allFollow(): Promise<void> {
    for (const userId of this.#users)
      for (const workspaceId of this.#workspaces) await this.#follow(userId, workspaceId);
  }

  async #follow(userId: string, workspaceId: string): Promise<void> {
    const session = sessionOf(this.#reading(), { kind: 'user', userId });
    if ((await outcome(session.workspaces.get({ workspaceId }))) !== 'ok') return;
    const key = `${userId} ${workspaceId}`;
    const replica = this.#replicas.get(key);
    if (replica === undefined) {
      this.#replicas.set(key, await Replica.read(session, workspaceId));
      return;
    }
    const held = replica.shown();
    // Now and then they do not follow to the end, and others go on writing.
    const answers = this.random.once(3) ? 1 + this.random.below(3) : Infinity;
    const limit = this.random.pick(LIMITS);
    const withRecords = this.random.once(2);
    const { events, isAtEnd } = this.random.once(4)
      ? { events: await replica.watch(session, withRecords), isAtEnd: true }
      : await replica.follow(session, limit, withRecords, answers);
    const told = JSON.stringify({ limit, held, events }, null, 1);
    if (isAtEnd) expect(replica.shown(), told).to.deep.equal(await seen(session, workspaceId));
    const sees = await idsSeen(session, workspaceId);
    for (const event of events) {
      const { id, taskId, boardId, pageId, byId, pageIds } = event;
      // What goes out of sight is named to those who saw it.
      const mayKnow = id === null || this.#seen.get(key)?.has(id) === true;
      expect(mayKnow, `${JSON.stringify(event)} names what was never seen: ${told}`).to.equal(true);
      for (const other of [boardId, pageId, taskId, byId, ...(pageIds ?? [])]) {
        const isSeen = other === null || other === id || sees.has(other);
        expect(isSeen, `${JSON.stringify(event)} names ${other}: ${told}`).to.equal(true);
      }
    }
    for (const [n, { seq }] of events.entries()) if (n > 0) expect(seq).to.be.at.least(events[n - 1]!.seq);
  }
}
