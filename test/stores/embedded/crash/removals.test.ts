import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./remover.js', import.meta.url));
const TASKS = 400;

/** Runs the process until it has told of so many transactions, and kills it then. @returns whether it was done before */
async function killedAfter(written: number, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [script(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let heard = 0;
  let done = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') done = true;
    else heard += 1;
    if (heard === written) child.kill('SIGKILL');
  }
  await exited;
  return done;
}

describe('what many tasks have, taken away by a process that is killed', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  /** Makes the store, and what is to be taken away. */
  async function prepared(path: string) {
    const team = await newTeam(newWorld(embeddedStore({ path })));
    const { owner, at } = team;
    const { id: boardId, todo } = await team.board('Board');
    const board = { ...at, boardId };
    const { id: done } = await owner.statuses.create({ ...board, name: 'Done' });
    const { id: tag } = await owner.tags.create({ ...board, name: 'Red' });
    const colleague = await team.join('Mate', 20);
    const tasks = Array.from({ length: TASKS }, (_, n) => {
      return { boardId, title: `t${n}`, tags: [tag], assignees: [colleague.memberId] };
    });
    await owner.tasks.createMany({ ...at, tasks });
    await team.world.store.close();
    const inputs = {
      status: { ...board, statusId: todo, moveTo: done },
      tag: { ...board, tagId: tag },
      member: { ...at, memberId: colleague.memberId },
    };
    return { user: owner.userId, inputs, workspaceId: team.workspaceId, done };
  }

  async function findings(store: Store): Promise<readonly unknown[]> {
    return (await newWorld(store, 5_000_000).operator.doctor.check()).findings;
  }

  for (const noun of ['status', 'tag', 'member'] as const) {
    it(`is sound, and goes on with the next start: a ${noun}`, async () => {
      for (const written of [1, 2, 4, 7]) {
        const path = join(folder, `${randomUUID()}.db`);
        const { user, inputs, workspaceId, done } = await prepared(path);
        await killedAfter(written, [path, user, noun, JSON.stringify(inputs[noun])]);
        const store = embeddedStore({ path });
        expect(await findings(store)).to.deep.equal([]);
        // Its clock is ahead, so that the lease of the process that was killed is over.
        const espalier = createEspalier({ store, clock: { now: () => Date.now() + 60_000 } });
        await eventually(async () => {
          await espalier.idle();
          expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).to.deep.equal([]);
        });
        expect(await findings(store)).to.deep.equal([]);
        const { items } = await espalier.as(user).tasks.list({ workspaceId, limit: 500, sort: ['position'] });
        expect(items).to.have.length(TASKS);
        const [status, tags, assignees] = [
          new Set(items.map(({ statusId }) => statusId)),
          new Set(items.flatMap((task) => task.tags)),
          new Set(items.flatMap((task) => task.assignees)),
        ];
        if (noun === 'status') expect([...status]).to.deep.equal([done]);
        if (noun === 'tag') expect([...tags]).to.deep.equal([]);
        if (noun === 'member') expect([...assignees]).to.deep.equal([]);
        expect(items.map(({ num }) => num)).to.deep.equal(items.map((_, n) => n + 1));
        await espalier.close();
      }
    });
  }
});
