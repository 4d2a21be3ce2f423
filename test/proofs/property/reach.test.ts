import { expect } from 'chai';
import { LazyStructure } from '../../../adapters/store-kv/structure/lazy-structure.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { governingPageId } from '../../../core/access/viewer.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import { buildStructure } from '../../../core/tree/build.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import { forSeeds, type Random } from '../../contract/random.ts';
import { member, page, workspace } from '../../contract/records.ts';

/** More than what is loaded whole at once. */
const PAGES = 90;

const acme = workspace();
const owner = member(acme.id);

/** A tree with boards anywhere, and pages of their tasks anywhere: below themselves, too. */
function world(random: Random): Page[] {
  const pages: Page[] = [];
  for (let i = 0; i < PAGES; i += 1) {
    const parentId = random.once(6) || i === 0 ? null : random.pick(pages).id;
    pages.push(page(acme.id, { id: random.id(), parentId, type: random.once(3) ? 'board' : 'folder' }));
  }
  const boards = pages.filter(({ type }) => type === 'board');
  return pages.map((each) => {
    if (each.type === 'board' || boards.length === 0 || random.once(2)) return each;
    return { ...each, type: 'task', boardId: random.pick(boards).id, contentId: each.id };
  });
}

/** What goes with a page, said in another way than by the engine. */
function goesWith(pages: readonly Page[], rootId: string): Set<string> {
  const gone = new Set([rootId]);
  for (let before = 0; before < gone.size;) {
    before = gone.size;
    for (const { id, parentId, boardId } of pages) {
      if (gone.has(parentId ?? '') || gone.has(boardId ?? '')) gone.add(id);
    }
  }
  return gone;
}

function expectLeft(
  structure: Structure,
  pages: readonly Page[],
  gone: ReadonlySet<string>,
  rootId: string,
  what: string,
): void {
  for (const { id, boardId } of pages) {
    expect(structure.page(id) === undefined, `${what}: ${id}`).to.equal(gone.has(id));
    const here = pages.filter((one) => one.parentId === id && !gone.has(one.id) && !gone.has(id));
    const ofBoard = pages.filter((one) => one.boardId === id && !gone.has(one.id) && !gone.has(id));
    if (structure.isPartial !== true) {
      expect(structure.taskPages(id).map((one) => one.id)).to.have.members(ofBoard.map((one) => one.id));
    }
    expect(structure.children(id).map((one) => one.id)).to.have.members(here.map((one) => one.id));
    // The task of the page that is deleted itself goes in the same transaction.
    if (boardId === null || id === rootId) continue;
    const governing = gone.has(boardId) || gone.has(id) ? null : id;
    expect(governingPageId(structure, { id, boardId }), what).to.equal(governing);
  }
}

describe('what is out of reach with a page', () => {
  it('is the same for a tree that was changed, one that is built from what is stored, and single pages', async () => {
    await forSeeds(25, async (random) => {
      const pages = world(random);
      const root = random.pick(pages);
      const gone = goesWith(pages, root.id);
      const change = { removedPages: [...gone] };
      const snapshot = new TreeSnapshot().draft();
      const tx = kvTransaction(snapshot, new StructureCache());
      const made = await tx.structures.insert(acme, owner);
      const before = await tx.structures.change(made, { pages });
      expect(removalOf(before, change).roots.length).to.equal(1);
      const after = await tx.structures.change(before, change);
      expectLeft(after, pages, gone, root.id, 'changed');

      const stored = await tx.structures.stored(
        acme.id,
        pages.map(({ id }) => id),
      );
      expect(stored.length).to.equal(pages.length - 1);
      const built = buildStructure(acme, 1, [owner], stored);
      expectLeft(built, pages, gone, root.id, 'built');
      expect([...built.removedTasks()]).to.have.members([...after.removedTasks()]);
      for (const [i, { id }] of pages.entries()) {
        const fresh = kvTransaction(snapshot, new StructureCache());
        const lazy = (await fresh.structures.get(acme.id))!;
        if (i === 0 && stored.length > 64) expect(lazy).to.be.instanceOf(LazyStructure);
        expect(lazy.page(id) === undefined, `lazy: ${id}`).to.equal(gone.has(id));
        if (i % 10 === 0) expectLeft(lazy, pages, gone, root.id, 'lazy');
      }
    });
  });
});
