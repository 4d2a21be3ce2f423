import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { sessionOf } from '../../../../core/session.ts';
import { pageEntry } from '../../../../core/model/access/page-entry.ts';
import { member, page, workspace } from '../../../contract/records.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

const PAGES = 6_000;
/** Pages that are looked at in one step at most. */
const LOOKS = 32;

/** What each of these looks at grows with the workspace, however short its answer. */
describe('a large workspace', () => {
  let steps = 0;
  let meanwhile: (() => Promise<unknown>) | null = null;
  const yielder = () => ({
    step: () => {
      steps += 1;
      const other = meanwhile;
      meanwhile = null;
      return other === null ? null : other().then(() => undefined);
    },
  });

  async function largeTeam() {
    const team = await newTeam();
    const { world, owner, at } = team;
    const board = await team.board('Board');
    const pages = Array.from({ length: PAGES }, (_, n) =>
      page(at.workspaceId, { orderKey: n, createdById: owner.memberId }),
    );
    await world.store.write(async (tx) => {
      const structure = await tx.structures.get(at.workspaceId);
      await tx.structures.change(structure!, { pages });
    });
    const engine = createEngine({ ...world.ports, yielder });
    return { team, board, pages, engine, ada: personOf(engine, owner.userId, 'Ada') };
  }

  it('is listed, searched and checked in steps, in which others are answered', async () => {
    const { team, pages, engine, ada } = await largeTeam();
    const { at, owner } = team;
    const hidden = pages.at(-1)!.id;
    const inSteps: Readonly<Record<string, () => Promise<unknown>>> = {
      'pages.list': () => ada.pages.list({ ...at, expand: ['createdBy', 'parent'] }),
      'tasks.list': () => ada.tasks.list({ ...at, count: true }),
      'boards.list': () => ada.boards.list(at),
      'doctor.check': () => sessionOf(engine, { kind: 'operator' }).doctor.check(),
    };
    for (const [name, work] of Object.entries(inSteps)) {
      // What was computed before is of an older revision.
      await owner.pages.update({ ...at, pageId: hidden, name: `before ${name}` });
      const expected = await work();
      await owner.pages.update({ ...at, pageId: hidden, name: `again before ${name}` });
      steps = 0;
      let answered = false;
      meanwhile = async () => {
        await owner.pages.get({ ...at, pageId: hidden });
        answered = true;
      };
      const found = await work();
      expect(answered, name).to.equal(true);
      expect(steps, name).to.be.at.least(PAGES / LOOKS);
      if (name !== 'pages.list') expect(found, name).to.deep.equal(expected);
      else expect(found).to.have.length(PAGES + 1);
    }
  });

  it('has a board with very many pages of tasks read in steps', async () => {
    const { team, board, pages, ada } = await largeTeam();
    const { at, world } = team;
    await world.store.write(async (tx) => {
      const structure = await tx.structures.get(at.workspaceId);
      const ofTasks = pages.map((one) => ({ ...one, type: 'task', boardId: board.id }) as const);
      await tx.structures.change(structure!, { pages: ofTasks });
    });
    steps = 0;
    await ada.boards.get({ ...at, boardId: board.id });
    expect(steps).to.be.at.least(Math.floor(PAGES / LOOKS));
  });

  it('is moved in steps, all that is nested under a page with it', async () => {
    const { team, pages, ada } = await largeTeam();
    const { at, world } = team;
    const [top, under, ...others] = pages;
    await world.store.write(async (tx) => {
      const structure = await tx.structures.get(at.workspaceId);
      await tx.structures.change(structure!, { pages: others.map((one) => ({ ...one, parentId: top!.id })) });
    });
    steps = 0;
    const moved = await ada.pages.update({ ...at, pageId: top!.id, parentId: under!.id });
    expect(moved.parentId).to.equal(under!.id);
    expect(steps).to.be.at.least(PAGES / LOOKS);
  });

  it('has a page among very many siblings read, and put in another place, in steps', async () => {
    const { team, pages, ada } = await largeTeam();
    const pageId = pages.at(-1)!.id;
    // The board is there besides, and does not come first of all.
    const inSteps: Readonly<Record<string, readonly [passes: number, index: number, () => Promise<unknown>]>> = {
      'pages.get': [1, PAGES - 1, () => ada.pages.get({ ...team.at, pageId })],
      'pages.update': [2, PAGES - 9, () => ada.pages.update({ ...team.at, pageId, orderIndex: PAGES - 9 })],
    };
    for (const [name, [passes, index, work]] of Object.entries(inSteps)) {
      steps = 0;
      const found = (await work()) as { readonly orderIndex: number };
      expect(found.orderIndex, name).to.be.within(index, index + 1);
      expect(steps, name).to.be.at.least(Math.floor((passes * (PAGES - 10)) / LOOKS));
    }
  });

  it('tells of a change of access to very many pages by one event', async () => {
    const { team } = await largeTeam();
    const { at, member: reader, owner } = team;
    let since = '';
    await reader.pages.list(at, { onCursor: (cursor) => void (since = cursor) });
    await owner.workspaces.update({ ...at, defaultAccess: 200 });
    const { items } = await reader.changes.list({ ...at, since });
    expect(items.map(({ type }) => type).toSorted()).to.deep.equal(['scope', 'workspace.update']);
    expect(items.find(({ type }) => type === 'scope')?.pageIds).to.have.length(PAGES + 1);
  });

  it('has its pages deleted in steps, and those steps are not made again by the write', async () => {
    const { team, pages, ada } = await largeTeam();
    const { at, world, owner } = team;
    const [top, ...others] = pages;
    await world.store.write(async (tx) => {
      const structure = await tx.structures.get(at.workspaceId);
      await tx.structures.change(structure!, { pages: others.map((one) => ({ ...one, parentId: top!.id })) });
    });
    steps = 0;
    await ada.pages.delete({ ...at, pageId: top!.id });
    // What is removed, what is left, what it counts, and what is noted of it.
    expect(steps).to.be.at.least((4 * PAGES) / LOOKS);
    expect(await owner.pages.list(at)).to.have.length(1);
    steps = 0;
    const few = await team.page('few');
    await ada.pages.delete({ ...at, pageId: few });
    expect(steps).to.be.at.most(20);
  });

  it('of very many members and entries is looked at in steps', async () => {
    const { team, pages, engine, ada } = await largeTeam();
    const { at, world, owner } = team;
    const caller = { kind: 'user', userId: owner.userId } as const;
    const [crowd, target] = pages;
    const members = Array.from({ length: PAGES }, () => member(at.workspaceId, { role: 20 }));
    const entries = Object.fromEntries(members.map(({ id }) => [id, pageEntry(200, 1)]));
    await world.store.write(async (tx) => {
      const structure = await tx.structures.get(at.workspaceId);
      await tx.structures.change(structure!, { members, pages: [{ ...crowd!, entries }] });
    });
    const onPage = { ...at, pageId: crowd!.id };
    const inSteps: Readonly<Record<string, readonly [passes: number, () => Promise<unknown>]>> = {
      // Each looks at all entries and at all members, some several times.
      'access.members': [3, () => ada.access.members(onPage)],
      'access.members with names': [5, () => ada.access.members({ ...onPage, expand: ['member'] })],
      'access.preview': [3, () => ada.access.preview({ ...onPage, parentId: target!.id })],
      'access.audit': [3, () => ada.access.audit({ ...at, limit: 1 })],
      'members.list': [2, () => ada.members.list(at)],
      'members.update': [1, () => ada.members.update({ ...at, memberId: owner.memberId, role: 30 })],
      'changes.snapshot': [4, () => engine.changes.snapshot({ caller }, { ...at, sink: () => undefined })],
      'exports.workspace': [2, () => ada.exports.workspace({ ...at, sink: () => undefined })],
    };
    for (const [name, [passes, work]] of Object.entries(inSteps)) {
      steps = 0;
      await work().catch((error: unknown) => expect(error, name).to.have.property('code', 'last-owner'));
      expect(steps, name).to.be.at.least(Math.floor((passes * PAGES) / LOOKS));
    }
    // Of a guest's own access the entries of the others are not looked at, however many pages there are.
    steps = 0;
    const own = personOf(createEngine({ ...world.ports, yielder }), team.guest.userId, 'Guest');
    await own.access.members(onPage).catch((error: unknown) => expect(error).to.have.property('code', 'not-found'));
    expect(steps).to.be.at.most(PAGES / LOOKS);
  });

  it('is one of very many of a user, who lists them in steps', async () => {
    const { team, ada } = await largeTeam();
    await team.world.store.write(async (tx) => {
      for (let n = 0; n < PAGES; n += 1) {
        const made = workspace();
        await tx.structures.insert(made, member(made.id, { userId: team.owner.userId, role: 40 }));
      }
    });
    steps = 0;
    expect(await ada.workspaces.list()).to.have.length(PAGES + 1);
    expect(steps).to.be.at.least(Math.floor(PAGES / LOOKS));
  });

  it('is counted for quotas while it is loaded and changed, and not anew for each write', async () => {
    const { team } = await largeTeam();
    const { at, owner, world } = team;
    let counted = 0;
    const quotas = { pages: PAGES + 3, entries: 10_000, members: 100, boards: 10 };
    const ada = personOf(createEngine({ ...world.ports, quotas }), owner.userId, 'Ada');
    const structure = (await world.store.read((tx) => tx.structures.get(at.workspaceId)))!;
    const all = [...structure.pages()];
    structure.pages = () => {
      counted += 1;
      return all;
    };
    await ada.pages.create({ ...at, name: 'one more', type: 'folder' });
    await ada.pages.create({ ...at, name: 'the last', type: 'folder' });
    expect(counted).to.equal(0);
    const refused = await ada.pages
      .create({ ...at, name: 'too many', type: 'folder' })
      .catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'quota-exceeded');
  });
});
