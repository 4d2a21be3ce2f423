import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { changeStructure } from '../../../../core/tree/build.ts';
import { newId } from '../../../contract/records.ts';
import { countingRows } from '../../../fixtures/store/counting-rows.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, personOf } from '../../../fixtures/world/world.ts';

const DEPTH = 90;

async function deepTeam() {
  const { store, asked } = countingStore(memoryStore());
  const team = await newTeam(newWorld(store));
  let pageId = await team.page('0');
  for (let i = 1; i < DEPTH; i += 1) pageId = await team.page(String(i), pageId);
  return { team, asked, pageId };
}

function pagesOf({ world, workspaceId }: Team) {
  return world.store.read(
    async (tx) => new Map(Array.from((await tx.structures.get(workspaceId))!.pages(), (page) => [page.id, page])),
  );
}

describe('the work of access', () => {
  it('to explain grows with the depth, and not with its square', async () => {
    const { team, asked, pageId } = await deepTeam();
    asked.pages = 0;
    const { steps } = await team.member.access.explain({ ...team.at, pageId });
    expect(steps).to.have.length(DEPTH + 1);
    expect(asked.pages).to.be.at.most(4 * DEPTH);
  });

  it('to explain is done in steps of 32 pages', async () => {
    const { team, pageId } = await deepTeam();
    let steps = 0;
    const yielder = () => ({
      step: () => {
        steps += 1;
        return null;
      },
    });
    const engine = createEngine({ ...team.world.ports, yielder });
    const member = personOf(engine, team.member.userId, 'Member');
    await member.access.explain({ ...team.at, pageId });
    // The way up, what the caller sees of it, the rules, and what is told of them.
    expect(steps).to.be.at.least(4 * Math.floor(DEPTH / 32));
  });

  it('to preview grows with the depth and the members, and not with their product', async () => {
    const { team, asked, pageId } = await deepTeam();
    for (let i = 0; i < 20; i += 1) await team.join(`Colleague${i}`, 20);
    const target = await team.page('Target');
    asked.pages = 0;
    await team.owner.access.preview({ ...team.at, pageId, parentId: target });
    expect(asked.pages).to.be.at.most(8 * DEPTH);
  });

  it('of many tasks with the same assignees asks for them once, and for all together', async () => {
    const { team, asked, pageId } = await deepTeam();
    const { id: boardId } = await team.board('Deep', pageId);
    const assignees = [team.owner, team.admin, team.member].map(({ memberId }) => memberId);
    await team.owner.tasks.createMany({ ...team.at, tasks: [{ boardId, title: 'The first' }] });
    [asked.users, asked.pages] = [0, 0];
    const tasks = Array.from({ length: 100 }, (_, i) => ({ boardId, title: `Task ${i}`, assignees }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    expect(asked.users).to.equal(1);
    // Of those, the way up from the board is gone for each of them and for the caller, and not for each task.
    expect(asked.pages).to.be.at.most((assignees.length + 1) * DEPTH + 10 * tasks.length);
  });

  it('of a grant and of the own row asks for nobody else', async () => {
    const { team, asked, pageId } = await deepTeam();
    for (let i = 0; i < 20; i += 1) await team.join(`Colleague${i}`, 20);
    await team.grant(pageId, team.guest, 100);
    asked.pages = 0;
    const rows = await team.guest.access.members({ ...team.at, pageId });
    expect(rows.map(({ memberId, access }) => [memberId, access])).to.deep.equal([[team.guest.memberId, 100]]);
    expect(asked.pages).to.be.at.most(3 * DEPTH);
  });
});

describe('among very many jobs of a workspace', () => {
  const JOBS = 2_000;

  it('a list of unassigned tasks, and a member who comes back, look at those of ended memberships alone', async () => {
    const { counting, seen } = countingRows(memoryStore(), ['jobs']);
    const team = await newTeam(newWorld(counting));
    const { at, world, owner, member } = team;
    await world.store.write(async (tx) => {
      for (let n = 0; n < JOBS; n += 1) {
        const notBefore = world.time(3_600_000);
        await tx.jobs.insert({ kind: 'purge', id: world.ports.ids.next(), ...at, notBefore, boards: [newId()] });
      }
    });
    const board = await team.board('Board');
    const tasks = Array.from({ length: 40 }, (_, n) => ({
      boardId: board.id,
      title: `t${n}`,
      assignees: [member.memberId],
    }));
    await owner.tasks.createMany({ ...at, tasks });
    await owner.members.remove({ ...at, memberId: member.memberId });
    seen.rows = 0;
    const { items } = await owner.tasks.list({ ...at, assigneeId: ['none'] });
    expect(items).to.have.length(tasks.length);
    const { id: invitationId } = await owner.invitations.create({ ...at, role: 20 });
    await member.invitations.join({ invitationId });
    expect(seen.rows).to.be.within(2, 10);
  });
});

describe('the place of a page among very many', () => {
  const SIBLINGS = 2_000;

  async function crowd() {
    const team = await newTeam();
    const first = await team.page('0');
    await team.world.store.write(async (tx) => {
      const structure = (await tx.structures.get(team.workspaceId))!;
      const page = structure.page(first)!;
      const pages = Array.from({ length: SIBLINGS }, (_, i) => {
        return { ...page, id: team.world.ports.ids.next(), name: `${i + 1}`, orderKey: page.orderKey + 1024 * (i + 1) };
      });
      await tx.structures.change(structure, { pages });
    });
    return team;
  }

  it('is made by moving a few of them, however often in the same place', async () => {
    const team = await crowd();
    let written = 0;
    for (let i = 0; i < 60; i += 1) {
      const before = await pagesOf(team);
      const pageId = (await team.owner.pages.list(team.at)).at(-1)!.id;
      const { orderIndex } = await team.owner.pages.update({ ...team.at, pageId, orderIndex: 5 });
      expect(orderIndex).to.equal(5);
      for (const page of (await pagesOf(team)).values())
        if (page.version !== before.get(page.id)!.version) written += 1;
    }
    // Once in ten moves about 37 of them, where it was all of them.
    expect(written).to.be.at.most(60 * 10);
    const all = await team.owner.pages.list(team.at);
    expect(all.map(({ orderIndex }) => orderIndex)).to.deep.equal(all.map((_, i) => i));
  }).timeout(60_000);

  it('does not touch the structure that a change begins with', async () => {
    const team = await crowd();
    const structure = await team.world.store.read(async (tx) => (await tx.structures.get(team.workspaceId))!);
    const before = structure.children(null);
    const copy = [...before];
    changeStructure(structure, { pages: [{ ...before[7]!, orderKey: -5 }], removedPages: [before[9]!.id] });
    expect(structure.children(null)).to.equal(before);
    expect([...before]).to.deep.equal(copy);
  });
});
