import { expect } from 'chai';
import { JobRunner } from '../../../../core/jobs/runner.ts';
import { PAGES_PER_STEP } from '../../../../core/page/respread-siblings.ts';
import { KEY_LIMIT } from '../../../../core/kernel/order-key.ts';
import { MAX_MOVED } from '../../../../core/kernel/rebalance.ts';
import type { Page } from '../../../../core/model/workspace/page.ts';
import { page } from '../../../contract/records.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

const MANY = 700;

/** Puts siblings with these keys into the workspace, as an import does. @returns their ids, in order */
async function siblings(
  { world, at, owner }: Team,
  keys: readonly number[],
  parentId: string | null = null,
): Promise<string[]> {
  const pages = keys.map((orderKey, n) =>
    page(at.workspaceId, { name: `p${n}`, parentId, orderKey, createdById: owner.memberId }),
  );
  await world.store.write(async (tx) => {
    await tx.structures.change((await tx.structures.get(at.workspaceId))!, { pages });
  });
  return pages.map(({ id }) => id);
}

async function stored({ world, at }: Team, parentId: string | null = null): Promise<readonly Page[]> {
  const structure = await world.store.read((tx) => tx.structures.get(at.workspaceId));
  return structure!.children(parentId);
}

function shown(pages: readonly Page[]): string[] {
  return pages.map(({ id, version }) => `${id} ${version}`);
}

const adjacent = Array.from({ length: MANY }, (_, n) => n);
const middle = MANY / 2;

describe('pages whose order keys leave no room', () => {
  it('move for another as few as make room, never more than 256', async () => {
    const team = await newTeam();
    const crowded = adjacent.slice(0, 400);
    const ids = await siblings(team, [...crowded, ...crowded.map((n) => 1_000_000 + 4_000 * n)]);
    const moving = await team.page('moving');
    const before = new Map((await stored(team)).map((each) => [each.id, each.orderKey]));
    await team.owner.pages.update({ ...team.at, pageId: moving, orderIndex: 300 });
    const after = await stored(team);
    expect(after.map(({ id }) => id)).to.deep.equal([...ids.slice(0, 300), moving, ...ids.slice(300)]);
    const moved = after.filter(({ id, orderKey }) => before.get(id) !== orderKey);
    expect(moved.length - 1).to.be.within(100, MAX_MOVED);
  });

  it('are spread in steps that keep their order and versions, and the refused write succeeds', async () => {
    const team = await newTeam();
    const ids = await siblings(team, adjacent);
    const moving = await team.page('moving');
    const write = () => team.owner.pages.update({ ...team.at, pageId: moving, orderIndex: middle + 1 });
    const before = await stored(team);
    expect(await outcome(write())).to.equal('store-busy');
    expect(await outcome(write())).to.equal('store-busy');
    const runner = new JobRunner(team.world.ports);
    let last = before;
    let steps = 0;
    for (; (await runner.step()) === 0; steps += 1) {
      const now = await stored(team);
      expect(shown(now)).to.deep.equal(shown(before));
      expect(now.filter(({ orderKey }, n) => orderKey !== last[n]!.orderKey).length).to.be.at.most(PAGES_PER_STEP);
      last = now;
    }
    expect(steps).to.be.within(middle / PAGES_PER_STEP, middle / PAGES_PER_STEP + 9);
    const { orderIndex } = await write();
    expect(orderIndex).to.equal(middle + 1);
    ids.splice(middle + 1, 0, moving);
    expect((await stored(team)).map(({ id }) => id)).to.deep.equal(ids);
  });

  for (const [where, keys] of [
    ['end', adjacent.map(() => KEY_LIMIT)],
    ['start', adjacent.map((n) => n - KEY_LIMIT)],
  ] as const) {
    it(`find room also at the ${where} of the range of keys`, async () => {
      const team = await newTeam();
      const parentId = await team.page('parent');
      const ids = await siblings(team, keys, parentId);
      const add = () => team.owner.pages.create({ ...team.at, parentId, name: 'new', type: 'folder' });
      if (where === 'end') {
        expect(await outcome(add())).to.equal('store-busy');
        await finishJobs(team.world.ports);
      }
      const { id: added } = await add();
      const first = () => team.owner.pages.update({ ...team.at, pageId: added, orderIndex: 0 });
      expect((await stored(team, parentId)).map(({ id }) => id)).to.deep.equal([...ids, added]);
      if (where === 'start') {
        expect(await outcome(first())).to.equal('store-busy');
        await finishJobs(team.world.ports);
      }
      await first();
      const now = await stored(team, parentId);
      expect(now.map(({ id }) => id)).to.deep.equal([added, ...ids]);
      expect(now.every(({ orderKey }) => Number.isInteger(orderKey) && Math.abs(orderKey) <= KEY_LIMIT)).to.equal(true);
    });
  }

  it('have a copy among them wait for room in the background', async () => {
    const team = await newTeam();
    const parentId = await team.page('parent');
    const pageId = await team.page('source');
    await siblings(
      team,
      adjacent.map(() => KEY_LIMIT),
      parentId,
    );
    const { page } = await team.owner.pages.copy({ ...team.at, pageId, parentId, name: 'copy' });
    expect(page).to.equal(null);
    await finishJobs(team.world.ports);
    // For the lease of the runner that began it.
    team.world.pass(5_000);
    await finishJobs(team.world.ports);
    expect((await stored(team, parentId)).at(-1)!.name).to.equal('copy');
  });

  it('are left alone where the place is gone by then', async () => {
    const team = await newTeam();
    const ids = await siblings(team, adjacent);
    const moving = await team.page('moving');
    await outcome(team.owner.pages.update({ ...team.at, pageId: moving, orderIndex: middle }));
    await team.owner.pages.update({ ...team.at, pageId: ids[middle - 1]!, parentId: moving });
    expect(await finishJobs(team.world.ports)).to.equal(1);
  });
});
