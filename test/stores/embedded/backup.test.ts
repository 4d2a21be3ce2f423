import { expect } from 'chai';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import type { Session } from '../../../core/session.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { outcome } from '../../fixtures/world/world.ts';

describe('the backup of an embedded store', () => {
  const folder = temporaryFolder();
  const store = embeddedStore({ path: join(folder, 'store.db') });
  let espalier: Espalier;
  let ada: Session;
  let workspaceId: string;
  let boardId: string;

  before(async () => {
    espalier = createEspalier({ store });
    ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme' }));
    ({ id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' }));
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
  });
  after(async () => {
    await espalier.close();
    await store.close();
  });

  it('has all that was acknowledged before, of one point in time, while writes go on', async () => {
    let acknowledged = 0;
    const over = new AbortController();
    const writing = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const { num } = await ada.tasks.create({ workspaceId, boardId, title: 'x', description: 'y'.repeat(2_000) });
        acknowledged = Math.max(acknowledged, num);
      }
    });
    for (const name of ['first', 'second', 'third']) {
      const before = acknowledged;
      const path = join(folder, name);
      await store.backup(path);
      const copy = embeddedStore({ path });
      const copied = createEspalier({ store: copy });
      const { findings, tasks } = await copied.operator.doctor.check();
      expect(findings).to.deep.equal([]);
      expect(tasks).to.be.at.least(before);
      const [user] = (await copied.users.list({})).items;
      const made = await copied.as(user!).tasks.create({ workspaceId, boardId, title: 'In the copy' });
      expect(made.num).to.equal(tasks + 1);
      await copied.close();
      await copy.close();
    }
    over.abort();
    await Promise.all(writing);
    expect((await espalier.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('is for its owner alone, unless other permissions are asked for', async () => {
    for (const [name, mode, expected] of [
      ['private', undefined, 0o600],
      ['shared', 0o640, 0o640],
    ] as const) {
      await store.backup(join(folder, name), mode);
      expect(statSync(join(folder, name)).mode & 0o777).to.equal(expected);
    }
  });

  it('takes the place of nothing', async () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'kept');
    mkdirSync(join(folder, 'a folder'));
    for (const name of ['notes.txt', 'a folder', 'store.db']) {
      expect(await outcome(store.backup(join(folder, name))), name).to.equal('invalid-input');
    }
    expect(readFileSync(path, 'utf8')).to.equal('kept');
  });

  it('leaves nothing where it cannot be written', async () => {
    const before = readdirSync(folder);
    for (const name of ['no folder/copy.db', 'notes.txt/copy.db', 'x'.repeat(300)]) {
      expect(await outcome(store.backup(join(folder, name))), name).to.equal('store-unavailable');
    }
    expect(readdirSync(folder)).to.deep.equal(before);
  });

  it('is refused by a store that is closed', async () => {
    const closed = embeddedStore({ path: join(folder, 'store.db') });
    await closed.close();
    expect(await outcome(closed.backup(join(folder, 'late')))).to.equal('store-unavailable');
  });
});
