import { v4, v7 } from 'uuid';
import type { MongodbStoreOptions } from '../../../adapters/store-mongodb/index.ts';
import type { Ports } from '../../../core/ports/context.ts';
import { createEngine, type Engine } from '../../../core/engine.ts';
import type { Store, Transaction } from '../../../core/ports/store.ts';
import { type Person, personOf } from '../../fixtures/world/world.ts';

/** One process of a service, as far as the database can tell. */
export interface Service {
  readonly store: Store;
  readonly engine: Engine;
  readonly ports: Ports;
  readonly as: (userId: string) => Person;
  /** The next write stops when its work is done and nothing is committed, until it is let go on. */
  holdNext(): Held;
  /** Write conflicts so far. */
  conflicts(): number;
}

export interface Held {
  readonly reached: Promise<void>;
  goOn(): void;
}

export type Observe = Pick<MongodbStoreOptions, 'observe' | 'client'>;

const WRITE_CONFLICT = 112;

/** @param keepTrash in milliseconds; 0: what is deleted is purged at once */
export async function serviceOn(open: (options: Observe) => Promise<Store>, keepTrash?: number): Promise<Service> {
  let conflicts = 0;
  const store = await open({
    client: { monitorCommands: true },
    observe: (client) =>
      client.on('commandFailed', ({ failure }) => {
        if ((failure as { code?: unknown }).code === WRITE_CONFLICT) conflicts += 1;
      }),
  });
  let holding: { reached(): void; readonly gone: Promise<void> } | null = null;
  const held: Store = {
    read: (work) => store.read(work),
    write: (work) =>
      store.write(async (tx: Transaction) => {
        const result = await work(tx);
        const hold = holding;
        holding = null;
        hold?.reached();
        await hold?.gone;
        return result;
      }),
    ready: () => store.ready(),
    close: () => store.close(),
  };
  const ports = { ...realPorts(held), keepTrash };
  const engine = createEngine(ports);
  return {
    store: held,
    engine,
    ports,
    as: (userId) => personOf(engine, userId, userId),
    conflicts: () => conflicts,
    holdNext() {
      let goOn = (): void => undefined;
      const gone = new Promise<void>((resolve) => (goOn = resolve));
      const reached = new Promise<void>((resolve) => (holding = { reached: resolve, gone }));
      return { reached, goOn };
    },
  };
}

/** Of an engine whose ids meet nobody else's. */
export function realPorts(store: Store): Ports {
  return {
    store,
    clock: { now: () => Date.now() },
    ids: { next: () => v7(), secret: () => v4() },
    tokenFactory: {
      token() {
        const secret = v4();
        return { secret, hash: `hash of ${secret}` };
      },
    },
  };
}
