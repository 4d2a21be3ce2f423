import { withParts } from '../../../core/ports/lazy-transaction.ts';
import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import type { Store, Transaction } from '../../../core/ports/store.ts';
import { NOTHING, type State } from './model.ts';

/** What is wrong with a store: each of these keeps every rule but one. */
export interface Defect {
  /** Where a read looks. Default: at the last state. */
  readonly readsAt?: (states: readonly State[]) => State;
  /** What a write sees. */
  readonly transaction?: (tx: Transaction, earlier: Transaction) => Transaction;
  /** How often a write happens that is acknowledged once. Default: 1. */
  readonly times?: (writes: number) => number;
}

const OFTEN = 3;

const behind = (states: readonly State[]): State => states.at(Math.random() < 1 / OFTEN ? -4 : -1) ?? states.at(-1)!;

/** A number that the next task is to get, by workspace. */
const heldBack = new Map<string, number>();

export const DEFECTS: Readonly<Record<string, Defect>> = {
  'a read of what was so before': { readsAt: behind },
  'a write that is acknowledged and lost': { times: (writes) => (writes % 7 === 0 ? 0 : 1) },
  'a write that happens twice': { times: (writes) => (writes % 7 === 0 ? 2 : 1) },
  'an update of what was read before another update': {
    transaction: (tx, earlier) =>
      withParts(tx, {
        tasks: () =>
          over(tx.tasks, {
            get: async (workspaceId, id) => (await earlier.tasks.get(workspaceId, id)) ?? tx.tasks.get(workspaceId, id),
          }),
      }),
  },
  'a running number below that of an earlier task': {
    transaction: (tx) =>
      withParts(tx, {
        tasks: () =>
          over(tx.tasks, {
            reserveNums: async (workspaceId, count) => {
              const below = heldBack.get(workspaceId);
              if (count > 1 || below === undefined) {
                const first = await tx.tasks.reserveNums(workspaceId, count + 1);
                heldBack.set(workspaceId, first);
                return first + 1;
              }
              heldBack.delete(workspaceId);
              return below;
            },
          }),
      }),
  },
  'a permission of before it was changed': {
    transaction: (tx, earlier) =>
      withParts(tx, {
        structures: () =>
          over(tx.structures, {
            get: async (workspaceId) =>
              (await earlier.structures.get(workspaceId)) ?? (await tx.structures.get(workspaceId)),
            change: async (structure, change) => {
              const now = await tx.structures.get(structure.workspace.id);
              return tx.structures.change(now ?? structure, change);
            },
          }),
      }),
  },
};

function over<T extends object>(repository: T, methods: Partial<T>): T {
  return new Proxy(repository, {
    get: (target, name) => {
      const method = (methods as Record<PropertyKey, unknown>)[name] ?? Reflect.get(target, name);
      return typeof method === 'function' ? (method.bind(target) as unknown) : method;
    },
  });
}

/** A store in memory with something wrong with it from when it is spoilt. */
export function defectiveStore(defect: Defect): Store & { spoil(): void } {
  let { readsAt, transaction, times }: Defect = {};
  const states: State[] = [NOTHING];
  let writes = 0;
  let last: Promise<unknown> = Promise.resolve();
  async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const [state, earlier] = [states.at(-1)!, states.at(-3) ?? NOTHING];
    const draft = state.draft();
    const tx = kvTransaction(draft, new StructureCache());
    const before = kvTransaction(readOnly(earlier), new StructureCache());
    const result = await work(transaction?.(tx, before) ?? tx);
    states.push(draft.freeze());
    return result;
  }
  return {
    read: (work) => work(kvTransaction(readOnly(readsAt?.(states) ?? states.at(-1)!), new StructureCache())),
    write(work) {
      const result = last.then(async () => {
        writes += 1;
        const count = times?.(writes) ?? 1;
        const done = await write(work);
        if (count === 0) states.pop();
        if (count === 2) await write(work).catch(() => undefined);
        return done;
      });
      last = result.catch(() => undefined);
      return result;
    },
    ready: async () => undefined,
    close: async () => undefined,
    spoil: () => void ({ readsAt, transaction, times } = defect),
  };
}
