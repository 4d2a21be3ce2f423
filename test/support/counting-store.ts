import type { ReadTransaction, Store, Transaction } from '../../core/ports/store.ts';
import type { Structure } from '../../core/model/structure.ts';

/** How often a store was asked. */
export interface Asked {
  /** For single pages of a structure that was read. */
  pages: number;
  /** For users by their ids. */
  users: number;
}

/** The store, counting what reading use cases ask of structures and all use cases of users. */
export function countingStore(store: Store): { readonly store: Store; readonly asked: Asked } {
  const asked: Asked = { pages: 0, users: 0 };
  const structureOf = (structure: Structure): Structure =>
    overriding(structure, {
      page: (id: string) => {
        asked.pages += 1;
        return structure.page(id);
      },
    });
  const usersOf = (tx: ReadTransaction) =>
    overriding(tx.users, {
      many: (ids: readonly string[]) => {
        asked.users += 1;
        return tx.users.many(ids);
      },
    });
  return {
    asked,
    store: overriding(store, {
      read: (work) =>
        store.read((tx) => {
          const structures = overriding(tx.structures, {
            get: async (id: string) => {
              const structure = await tx.structures.get(id);
              return structure === null ? null : structureOf(structure);
            },
          });
          return work(overriding(tx, { structures, users: usersOf(tx) }));
        }),
      write: (work) => store.write((tx) => work(overriding(tx, { users: usersOf(tx) as Transaction['users'] }))),
    }),
  };
}

/** An object with some of its properties replaced. */
function overriding<T extends object>(target: T, properties: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(properties, name)) return Reflect.get(properties, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
