import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { user } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { outcome } from '../../fixtures/world/world.ts';

describe('the file of an embedded store that is open', () => {
  const folder = temporaryFolder();

  /** A store that holds a user. */
  async function opened() {
    const path = join(folder, randomUUID(), 'store.db');
    mkdirSync(dirname(path));
    const store = embeddedStore({ path });
    const { id } = await written(store);
    return { path, store, id };
  }

  async function written(store: Store) {
    const made = user();
    await store.write((tx) => tx.users.insert(made));
    return made;
  }

  const LOSSES: readonly (readonly [what: string, lose: (path: string) => void])[] = [
    ['removed', (path) => rmSync(path)],
    ['removed with its folder', (path) => rmSync(dirname(path), { recursive: true })],
    [
      'replaced by an earlier copy',
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    [
      'moved away, with a copy in its place',
      (path) => {
        renameSync(path, `${path}.away`);
        copyFileSync(`${path}.away`, path);
      },
    ],
  ];
  for (const [what, lose] of LOSSES) {
    it(`takes no writes, and says so, once it was ${what}`, async () => {
      const { path, store, id } = await opened();
      lose(path);
      for (const call of [() => store.ready(), () => written(store), () => written(store), () => store.ready()]) {
        expect(await outcome(call())).to.equal('store-unavailable');
      }
      expect((await store.read((tx) => tx.users.get(id)))?.id).to.equal(id);
      await store.close();
    });
  }

  it('takes writes again when it is back in its place, and has them', async () => {
    const { path, store } = await opened();
    const away = `${path}.away`;
    renameSync(path, away);
    copyFileSync(away, path);
    expect(await outcome(written(store))).to.equal('store-unavailable');
    renameSync(away, path);
    while ((await outcome(store.ready())) !== 'ok') await new Promise(setImmediate);
    const { id } = await written(store);
    await store.close();
    const again = embeddedStore({ path });
    expect((await again.read((tx) => tx.users.get(id)))?.id).to.equal(id);
    await again.close();
  });
});
