import { expect } from 'chai';
import * as fc from 'fast-check';
import { atOnce } from '../../../core/kernel/stepwise.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { nestsTooDeep } from '../../../core/tree/depth.ts';
import { member, page, workspace } from '../../contract/records.ts';
import { WORLDS } from './plain-workspace.ts';

/** A parent, a board and a key by numbers, so that ties and moves under every other page come about. */
const change = fc.record({
  put: fc.array(
    fc.record({
      page: fc.nat({ max: 12 }),
      parent: fc.nat({ max: 12 }),
      board: fc.nat({ max: 4 }),
      key: fc.nat({ max: 4 }),
    }),
    { maxLength: 45 },
  ),
  removed: fc.option(fc.nat({ max: 12 })),
});

const PARENTS = 12;
/** The first pages stand for boards. */
const BOARDS = 3;

describe('a structure changed step by step', () => {
  const acme = workspace();
  const owner = member(acme.id);
  const ids = Array.from({ length: 60 }, () => page(acme.id).id).sort();
  /** Only the first few have children, and those come later: no page is below itself. */
  const parentOf = (n: number, parent: number) =>
    n === 0 || parent === 0 ? null : ids[Math.min(n, PARENTS, parent) - 1]!;

  it('has the children and the pages of tasks, in the order, of one built as a whole', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat({ max: 47 }), (changes, many) => {
        let structure = buildStructure(acme, 1, [owner], []);
        for (const { put, removed } of changes) {
          const pages = new Map<string, Page>();
          for (const [i, { page: n, parent, board, key }] of put.entries()) {
            // Some of the changes put more than a few under one parent.
            const at = i < many ? n : PARENTS + (i % (ids.length - PARENTS));
            const parentId = parentOf(at, parent);
            if (parentId !== null && structure.page(parentId) === undefined && !pages.has(parentId)) continue;
            const isThere = at >= BOARDS && board < BOARDS && structure.page(ids[board]!) !== undefined;
            const boardId = isThere ? ids[board]! : null;
            pages.set(ids[at]!, page(acme.id, { id: ids[at]!, parentId, boardId, orderKey: key }));
          }
          structure = changeStructure(structure, { pages: [...pages.values()] });
          if (removed !== null) {
            const gone = below(ids[removed]!, [...structure.pages()]);
            structure = changeStructure(structure, { removedPages: [...gone] });
          }
          const whole = buildStructure(acme, structure.revision, [owner], structure.pages());
          for (const id of [null, ...ids]) {
            const [now, expected] = [structure.children(id), whole.children(id)];
            expect(now.map((each) => each.id)).to.deep.equal(expected.map((each) => each.id));
            for (const each of now) expect(each).to.equal(structure.page(each.id));
            if (id !== null) expect(structure.taskPages(id)).to.deep.equal(whole.taskPages(id));
          }
        }
      }),
      { numRuns: Math.ceil(WORLDS / 10) },
    );
  });

  it('nests too deep exactly when a new page does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        (parents, most) => {
          const tree = parents.map((parent, i) =>
            page(acme.id, { id: ids[i]!, parentId: parent >= i ? null : ids[parent]! }),
          );
          const depth = (each: Page): number =>
            each.parentId === null ? 1 : 1 + depth(tree.find(({ id }) => id === each.parentId)!);
          const empty = buildStructure(acme, 1, [owner], []);
          const expected = tree.some((each) => depth(each) > most);
          expect(atOnce(nestsTooDeep(empty, tree, most))).to.equal(expected);
          expect(atOnce(nestsTooDeep(empty, tree.toReversed(), most))).to.equal(expected);
        },
      ),
      { numRuns: Math.ceil(WORLDS / 4) },
    );
    const [a, b] = [page(acme.id), page(acme.id)];
    const circle = [
      { ...a, parentId: b.id },
      { ...b, parentId: a.id },
    ];
    expect(atOnce(nestsTooDeep(buildStructure(acme, 1, [owner], []), circle, 5))).to.equal(true);
  });
});

function below(root: string, pages: readonly Page[]): Set<string> {
  const gone = new Set([root]);
  for (let size = 0; size !== gone.size;) {
    size = gone.size;
    for (const { id, parentId, boardId } of pages) {
      if (gone.has(parentId ?? '') || gone.has(boardId ?? '')) gone.add(id);
    }
  }
  return gone;
}
