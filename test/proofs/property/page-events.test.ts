import { expect } from 'chai';
import { viewerIn, type Viewer } from '../../../core/access/viewer.ts';
import { type PageEvent, pageEvents } from '../../../core/changes/page-events.ts';
import type { Level } from '../../../core/model/access/level.ts';
import type { Member } from '../../../core/model/workspace/member.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import type { Structure, StructureChange } from '../../../core/model/workspace/structure.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';
import { forSeeds, type Random } from '../../contract/random.ts';
import { fresh, member, page, user, workspace } from '../../contract/records.ts';

const PAGES = 40;
/** So many of the kinds of changes only rename and grant. */
const GRANTS = 3;
const NONE: ReadonlySet<string> = new Set();
const LEVELS: readonly Level[] = [0, 100, 200, 300, 400];

describe('the difference between what a member sees of two structures', () => {
  const acme = workspace({ defaultAccess: 100 });
  const users = [10, 20, 20, 30].map(() => user());
  const members: readonly Member[] = [10, 20, 20, 30].map((role, n) => member(acme.id, { role, userId: users[n]!.id }));
  const viewer = (structure: Structure, n: number, yielder?: Viewer['yielder']) =>
    viewerIn(structure, { user: users[n]! } as Parameters<typeof viewerIn>[1], yielder);

  it('is the same from the pages that differ as from all pages', () =>
    forSeeds(80, async (random) => {
      let now = buildStructure(acme, 1, members, randomTree(random, acme.id));
      for (let n = 0; n < PAGES; n += 1) now = changeStructure(now, randomChange(random, now, members, GRANTS));
      for (let round = 0; round < 6; round += 1) {
        const before = now;
        for (let n = random.below(3); n >= 0; n -= 1) now = changeStructure(now, randomChange(random, now, members));
        for (const n of users.keys()) {
          const shownAgain = new Set(random.some([...now.pages()], 20).map(({ id }) => id));
          const few = await pageEvents(viewer(before, n), viewer(now, n), [], shownAgain);
          const all = await pageEvents(viewer(opaque(before), n), viewer(opaque(now), n), [], shownAgain);
          expect(few.map(told)).to.deep.equal(all.map(told));
        }
      }
    }));

  it('names the fields that differ by value, where the page was read from the store again', async () => {
    const entries = { [members[2]!.id]: { level: 200 as Level, membership: 1, ...fresh } };
    const one = page(acme.id, { entries });
    const before = buildStructure(acme, 1, members, [one]);
    const written = async (fields: Partial<Page>) => {
      const now = changeStructure(before, { pages: [{ ...structuredClone(one), version: 2, ...fields }] });
      const events = await Promise.all([1, 3].map((n) => pageEvents(viewer(before, n), viewer(now, n), [], NONE)));
      expect(events[1]!.map(told)).to.deep.equal(events[0]!.map(told));
      return events[0]!.map(told);
    };
    expect(await written({ name: 'Renamed' })).to.deep.equal([['page.update', one.id, ['name']]]);
    const granted = { ...entries, [members[0]!.id]: { level: 100 as Level, membership: 1, ...fresh } };
    expect(await written({ entries: granted })).to.deep.equal([['page.update', one.id, ['entries']]]);
    const settings = { ...one.settings, version: 2 };
    expect(await written({ settings })).to.deep.equal([['page.update', one.id, ['settings']]]);
  });

  it('keep no earlier access of a page', async () => {
    const one = page(acme.id);
    let now = buildStructure(acme, 1, members, [one]);
    const earlier: WeakRef<object>[] = [];
    for (let version = 2; version < 12; version += 1) {
      const before = now;
      const entries = { [members[1]!.id]: { level: 200 as Level, membership: version, ...fresh } };
      now = changeStructure(before, { pages: [{ ...one, version, entries }] });
      earlier.push(new WeakRef(before.page(one.id)!.entries));
      await pageEvents(viewer(before, 3), viewer(now, 3), [], NONE);
    }
    await collectGarbage();
    expect(earlier.filter((entries) => entries.deref() !== undefined).length).to.be.at.most(2);
    expect(now.page(one.id)!.version).to.equal(11);
  });

  it('costs what differs, not what there is', async () => {
    const folders = Array.from({ length: 200 }, () => page(acme.id));
    const pages = folders.flatMap(({ id }) => Array.from({ length: 100 }, () => page(acme.id, { parentId: id })));
    const before = buildStructure({ ...acme, defaultAccess: 0 }, 1, members, [...folders, ...pages]);
    const [one, other] = [pages[777]!, pages[12_345]!];
    const entries = { [members[1]!.id]: { level: 100 as Level, membership: 1, ...fresh } };
    const granted = { ...one, version: 2, entries } as unknown as Page;
    const now = changeStructure(before, { pages: [granted, { ...other, name: 'Renamed', version: 2 }] });
    let steps = 0;
    const yielder = { step: () => ((steps += 1), null) };
    const events = await pageEvents(viewer(before, 1), viewer(now, 1, yielder), [], NONE);
    expect(events.map(told)).to.deep.equal([['page.show', one.id, []]]);
    expect(steps).to.be.at.most(20);
    steps = 0;
    expect(await pageEvents(viewer(before, 2), viewer(now, 2, yielder), [], NONE)).to.deep.equal([]);
    expect(steps).to.be.at.most(10);
  });
});

function told({ type, page: { id }, fields }: PageEvent): unknown[] {
  return [type, id, [...fields]];
}

/** The same structure, without any part in common with another. */
function opaque(structure: Structure): Structure {
  return {
    workspace: structure.workspace,
    revision: structure.revision,
    members: () => structure.members(),
    member: (id) => structure.member(id),
    memberOfUser: (id) => structure.memberOfUser(id),
    pages: () => structure.pages(),
    page: (id) => structure.page(id),
    children: (id) => structure.children(id),
    taskPages: (id) => structure.taskPages(id),
    removedTasks: () => structure.removedTasks(),
    isRemovedTask: (id) => structure.isRemovedTask(id),
  };
}

function randomTree(random: Random, workspaceId: string): Page[] {
  const pages: Page[] = [];
  for (let n = 0; n < PAGES; n += 1) pages.push(newPage(random, workspaceId, pages));
  return pages;
}

function newPage(random: Random, workspaceId: string, others: readonly Page[]): Page {
  const parentId = others.length === 0 || random.once(6) ? null : random.pick(others).id;
  const boards = others.filter(({ type }) => type === 'board');
  const type = random.once(5) ? 'board' : boards.length > 0 && random.once(2) ? 'task' : 'folder';
  const boardId = type === 'task' ? random.pick(boards).id : null;
  return page(workspaceId, { id: random.id(), parentId, type, boardId, orderKey: random.below(5) });
}

function randomChange(random: Random, structure: Structure, members: readonly Member[], kinds = 8): StructureChange {
  const all = [...structure.pages()];
  if (all.length === 0) return { pages: [newPage(random, structure.workspace.id, [])] };
  const some = random.pick(all);
  const next = (fields: Partial<Page>): StructureChange => ({
    pages: [{ ...some, version: some.version + 1, ...fields }],
  });
  const level = random.pick(LEVELS);
  const given = random.below(kinds);
  if (given === 0) return next({ name: 'Renamed' });
  if (given <= 2) {
    const entry = { level, membership: 1 + random.below(2), ...fresh };
    return next({ entries: { ...some.entries, [random.pick(members).id]: entry } });
  }
  if (given === 3) return next({ entries: {} });
  if (given === 4) {
    const inherit = random.once(2);
    return next({ settings: { ...some.settings, inherit, defaultAccess: inherit ? null : level } });
  }
  if (given === 5) {
    const below = removedWith(structure, some.id);
    const targets = all.filter(({ id }) => !below.has(id));
    return next({ parentId: targets.length === 0 ? null : random.pick([null, ...targets.map(({ id }) => id)]) });
  }
  if (given === 6) return { removedPages: [...removedWith(structure, some.id)] };
  return { pages: [newPage(random, some.workspaceId, all)] };
}

/** A page, what is below it, and with a board the pages of its tasks. */
function removedWith(structure: Structure, pageId: string): ReadonlySet<string> {
  const ids = new Set([pageId]);
  for (const id of ids) {
    for (const child of structure.children(id)) ids.add(child.id);
    for (const each of structure.pages()) if (each.boardId === id) ids.add(each.id);
  }
  return ids;
}
