import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { inspect } from './inspect.ts';
import { prepare } from './workload.ts';

/** A new store that the workload can begin on, closed. */
export async function preparedStore(folder: string): Promise<string> {
  const path = join(folder, `${randomUUID()}.db`);
  const store = embeddedStore({ path });
  await prepare(store);
  await store.close();
  return path;
}

/** Opens what is left and looks for anything that is lost, half done or wrong. */
export async function expectSound(path: string, acknowledged: Iterable<string>): Promise<void> {
  expect(await problemsOf(path, acknowledged)).to.deep.equal([]);
}

export async function problemsOf(path: string, acknowledged: Iterable<string>): Promise<string[]> {
  const store = embeddedStore({ path });
  try {
    return await inspect(store, acknowledged);
  } finally {
    await store.close();
  }
}
