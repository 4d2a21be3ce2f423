import type { Call, Ports } from '../../core/ports/context.ts';
import { createEngine, type Engine } from '../../core/engine.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { finishJobs } from './jobs.ts';
import { sessionOf, type Session } from '../../core/session.ts';
import type { Store } from '../../core/ports/store.ts';
import { memoryStore } from '../../adapters/store-memory/index.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1, 12);

/** An engine on a store, with a clock and ids that a test decides. */
export interface World {
  readonly store: Store;
  readonly engine: Engine;
  readonly ports: Ports;
  readonly operator: Session;
  /** Moves the clock on. */
  readonly pass: (milliseconds: number) => void;
  /** Now, or so long from now. */
  readonly time: (milliseconds?: number) => string;
  /** Today in UTC, or so many days from today. */
  readonly day: (days?: number) => string;
  readonly user: (name: string) => Promise<Person>;
  readonly as: (call: Call) => Session;
  /** Works off what deletions have left. */
  readonly purge: () => Promise<void>;
}

/** A user, and what they can do. */
export interface Person extends Session {
  readonly userId: string;
  readonly name: string;
  /** The same with versions that the caller expects. */
  readonly ifVersion: (...versions: number[]) => Session;
}

/** @param from what ids begin to count behind, where several share a store */
export function newWorld(store: Store = memoryStore(), from = 0): World {
  let now = START;
  let ids = from;
  const id = (version: 4 | 7) => `00000000-0000-${version}000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const ports: Ports = {
    store,
    clock: { now: () => now },
    ids: { next: () => id(7), secret: () => id(4) },
    tokenFactory: { token: () => ({ secret: `secret-${(ids += 1)}`, hash: `hash of secret-${ids}` }) },
  };
  const engine = createEngine(ports);
  const operator = sessionOf(engine, { kind: 'operator' });
  return {
    store,
    engine,
    ports,
    operator,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    time: (milliseconds = 0) => new Date(now + milliseconds).toISOString(),
    day: (days = 0) => new Date(now + days * DAY).toISOString().slice(0, 10),
    user: async (name) => {
      const user = await operator.users.create({ name, email: `${name.toLowerCase()}@example.org` });
      return personOf(engine, user.id, name);
    },
    as: ({ caller, ...options }) => bound(engine, { caller, ...options }),
    purge: async () => {
      await finishJobs(ports);
    },
  };
}

export function personOf(engine: Engine, userId: string, name: string): Person {
  const caller = { kind: 'user', userId } as const;
  return {
    ...sessionOf(engine, caller),
    userId,
    name,
    ifVersion: (...versions) => bound(engine, { caller, ifVersion: versions }),
  };
}

function bound(engine: Engine, call: Call): Session {
  const nouns = Object.entries(engine).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs as Record<string, (call: Call, input: unknown) => unknown>).map(([verb, run]) => [
        verb,
        (input: unknown) => run(call, input),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Session;
}

/** `ok`, or the code a call fails with. Anything but an error of the engine is a defect and passes. */
export async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof EspalierError) return error.code;
    throw error;
  }
}

/** Like {@link outcome}, with the fields at fault: `invalid-input /pages/0/access`. */
export async function fault(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof EspalierError) return [error.code, ...error.errors.map(({ pointer }) => pointer)].join(' ');
    throw error;
  }
}
