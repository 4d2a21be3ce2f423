import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { firstSeed, Random } from '../../../contract/random.ts';
import { COPIED_TASKS, COPY_KILLS, MINUTE, newBoardToCopy } from '../../../fixtures/suite/killed-copies.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { startServe, type ServeProcess } from './serve-process.ts';

const SERVE = ['--workers', '2', '--store', 'file:serving.db', '--port', '0'] as const;

describe('a copy made by a service of workers', function () {
  this.timeout(60_000 + COPY_KILLS * 120_000);
  let here: CliDirectory;
  let serving: ServeProcess | undefined;

  before(async () => {
    here = await cliDirectory();
  });
  after(async () => {
    if (serving !== undefined && serving.child.exitCode === null) serving.child.kill('SIGKILL');
    await serving?.done;
    await here.close();
  });

  it(`is whole or not there when the service is killed, and leaves nothing behind, ${COPY_KILLS} times`, async () => {
    const random = new Random(firstSeed());
    const url = `file:${join(here.path, 'serving.db')}`;
    const first = createEspalier({ store: await openStore(url) });
    const { userId, at, boardId } = await newBoardToCopy(first);
    const { token } = await first.as(userId).tokens.create({ name: 'laptop' });
    await first.close();
    for (let round = 0; round < COPY_KILLS; round += 1) {
      serving = startServe(here, ...SERVE);
      const service = await serving.started;
      const pids = await serving.workers(2);
      const ada = createClient({ url: service.url, token });
      const copy = ada.boards.copy({ ...at, boardId, tasks: true }).catch(() => null);
      await setTimeout(random.below(COPIED_TASKS / 2 + 100));
      // The whole service, or both of its workers, which are replaced.
      if (round % 2 === 0) serving.child.kill('SIGKILL');
      else for (const pid of pids) process.kill(pid, 'SIGKILL');
      await copy;
      if (round % 2 === 1) {
        await serving.workers(2, pids);
        serving.child.kill('SIGTERM');
      }
      await serving.done;
      const store = await openStore(url);
      const clock = { now: () => Date.now() + (round + 1) * MINUTE };
      const espalier = createEspalier({ store, clock, keepTrash: 0 });
      const reader = espalier.as(userId);
      const seen = async () => (await reader.tasks.list({ ...at, limit: 1, count: true })).total!;
      const copies = async () => (await reader.boards.list(at)).filter(({ id }) => id !== boardId);
      expect((await espalier.operator.doctor.check()).findings).to.deep.equal([]);
      // This process may have gone on with it already.
      expect(await seen()).to.be.oneOf([COPIED_TASKS, 2 * COPIED_TASKS]);
      await eventually(async () => {
        await espalier.idle();
        expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).to.deep.equal([]);
      });
      expect(await seen()).to.equal(COPIED_TASKS * (1 + (await copies()).length));
      for (const { id } of await copies()) await reader.boards.delete({ ...at, boardId: id });
      await espalier.idle();
      const query = { workspaceId: at.workspaceId, scope: null, filters: [] };
      expect(await store.read((tx) => tx.tasks.count(query))).to.equal(COPIED_TASKS);
      expect((await espalier.operator.doctor.check()).findings).to.deep.equal([]);
      await espalier.close();
    }
  });
});
