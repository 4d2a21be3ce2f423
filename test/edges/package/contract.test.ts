import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { storeContract } from '../../contract/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { ReadTransaction, Store } from '../../../core/ports/store.ts';
import { wrappedStore } from '../../fixtures/store/wrapped-store.ts';

type Runner = Record<'describe' | 'it', (name: string, body: () => unknown) => void>;

/** The tests of the contract by name, declared as a runner does that gives a suite no `this`. */
function testsOf(open: () => Store): ReadonlyMap<string, () => unknown> {
  const tests = new Map<string, () => unknown>();
  const runner = globalThis as unknown as Runner;
  const { describe, it } = runner;
  const names: string[] = [];
  Object.assign(runner, {
    describe: (name: string, body: () => void) => {
      names.push(name);
      body();
      names.pop();
    },
    it: (name: string, body: () => unknown) => tests.set([...names.slice(1), name].join(' '), body),
  });
  try {
    storeContract({ name: 'mine', open: async () => open(), runs: 1 });
  } finally {
    Object.assign(runner, { describe, it });
  }
  return tests;
}

/** Starts each slice with the record that the caller has already. */
function beginsAt(tx: ReadTransaction): ReadTransaction {
  const users = Object.assign(Object.create(tx.users) as typeof tx.users, {
    list: (index: 'all', values: object, { after, limit }: { after?: string | null; limit: number }) =>
      tx.users.list(index, values, { after: after == null ? null : after.slice(0, -1), limit }),
  });
  return Object.create(tx, { users: { value: users } }) as ReadTransaction;
}

describe('the contract of stores', () => {
  it('is declared by any runner that has `describe` and `it`', async () => {
    const tests = testsOf(memoryStore);
    expect(tests.size).to.be.greaterThan(100);
    await tests.get('users and tokens are listed by id, part by part')!();
  });

  it('passes in a realm whose errors are not those of Node.js, such as that of a test file in Jest', async () => {
    const tests = testsOf(memoryStore);
    const { Error } = globalThis;
    globalThis.Error = runInNewContext('Error') as ErrorConstructor;
    try {
      for (const run of tests.values()) await run();
    } finally {
      globalThis.Error = Error;
    }
  });

  it('ends for a store whose parts begin where the last ended', async () => {
    const tests = testsOf(() => wrappedStore(memoryStore(), { read: beginsAt }));
    const failure = await Promise.resolve(tests.get('users and tokens are listed by id, part by part')!()).then(
      () => null,
      (error: Error) => error,
    );
    expect(failure).to.be.instanceOf(Error);
  });
});
