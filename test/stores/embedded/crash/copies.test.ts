import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { firstSeed } from '../../../contract/random.ts';
import { COPY_KILLS, killCopies } from '../../../fixtures/suite/killed-copies.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { newWorld } from '../../../fixtures/world/world.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./remover.js', import.meta.url));
const TASKS = 300;

/** Runs the process until it has told of so many transactions, and kills it then. */
async function killedAfter(written: number, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let heard = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'done') heard += 1;
    if (heard === written) child.kill('SIGKILL');
  }
  await exited;
}

describe('a copy made by a process that is killed', function () {
  this.timeout(60_000 + COPY_KILLS * 60_000);
  const folder = temporaryFolder();

  it(`is whole or not there at a random moment, and leaves nothing behind, ${COPY_KILLS} times`, () =>
    killCopies(`file:${join(folder, `${randomUUID()}.db`)}`, firstSeed()));

  for (const written of [1, 2, 5, 8]) {
    it(`is not there, and whole after the next start: after ${written} transactions`, async () => {
      const path = join(folder, `${randomUUID()}.db`);
      const team = await newTeam(newWorld(embeddedStore({ path })));
      const { owner, at } = team;
      const { id: boardId } = await team.board('Board');
      const tasks = Array.from({ length: TASKS }, (_, n) => ({ boardId, title: `t${n}` }));
      await owner.tasks.createMany({ ...at, tasks });
      await team.world.store.close();
      await killedAfter(written, [path, owner.userId, 'copy', JSON.stringify({ ...at, boardId, tasks: true })]);
      const store = embeddedStore({ path });
      const findings = async () => (await newWorld(store, 5_000_000).operator.doctor.check()).findings;
      expect(await findings()).to.deep.equal([]);
      // Its clock is ahead, so that the lease of the process that was killed is over.
      const espalier = createEspalier({ store, clock: { now: () => Date.now() + 60_000 } });
      const reader = espalier.as(owner.userId);
      const seen = async () => (await reader.tasks.list({ ...at, limit: 1, count: true })).total!;
      expect(await seen()).to.be.oneOf([TASKS, 2 * TASKS]);
      await eventually(async () => {
        await espalier.idle();
        expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).to.deep.equal([]);
      });
      expect(await seen()).to.equal(2 * TASKS);
      expect((await reader.boards.list(at)).length).to.equal(2);
      expect(await findings()).to.deep.equal([]);
      await espalier.close();
    });
  }
});
