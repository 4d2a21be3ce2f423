import { join } from 'node:path';
import { expect } from 'chai';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = temporaryFolder();
const STORES = { memory: memoryStore, embedded: () => embeddedStore({ path: join(folder, 'store.db') }) };

/** As the timers of a test runner are that are never advanced: nothing calls back. */
const TIMERS = { setImmediate: () => ({}), setTimeout: () => ({ unref() {} }), setInterval: () => ({ unref() {} }) };

for (const [name, open] of Object.entries(STORES)) {
  describe(`within a test of a host that fakes the timers, on the ${name} store`, function () {
    this.timeout(10_000);
    const { setImmediate, setTimeout, setInterval } = globalThis;
    afterEach(() => void Object.assign(globalThis, { setImmediate, setTimeout, setInterval }));

    it('calls, long ones too, and requests are answered', async () => {
      Object.assign(globalThis, TIMERS);
      const espalier = createEspalier({ store: open() });
      const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
      const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
      const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
      await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
      const tasks = Array.from({ length: 1_000 }, (_, i) => ({ boardId, title: `Task ${i}` }));
      await ada.tasks.createMany({ workspaceId, tasks });
      await ada.boards.copy({ workspaceId, boardId, name: 'Copy' });
      expect((await espalier.operator.doctor.check()).findings).to.deep.equal([]);
      const { engine, identity } = espalier;
      const app = createHttpApp({ engine, identity, ready: async () => {} });
      expect((await app.fetch(new Request('http://localhost/api/me'))).status).to.equal(401);
      await espalier.close();
    });
  });
}
