import { expect } from 'chai';
import { atOnce, type Stepwise } from '../../../core/kernel/stepwise.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { member, page, workspace } from '../../contract/records.ts';

const PAGES = 6_000;
/** Pages that one step may look at: 32, and another run of as many that ends in it. */
const LOOKS_PER_STEP = 64;

/** The most times that any step of some work looks where pages stand. */
function mostLooks<T>(work: Stepwise<T>, looks: { count: number }): { readonly result: T; readonly most: number } {
  for (let most = 0; ;) {
    looks.count = 0;
    const step = work.next();
    most = Math.max(most, looks.count);
    if (step.done === true) return { result: step.value, most };
  }
}

describe('a large change of a structure', () => {
  const acme = workspace();
  const owner = member(acme.id);
  const top = page(acme.id);
  const looks = { count: 0 };
  const watched = (one: Page): Page => {
    const { parentId } = one;
    return Object.defineProperty({ ...one }, 'parentId', {
      enumerable: true,
      get() {
        looks.count += 1;
        return parentId;
      },
    });
  };
  const others = Array.from({ length: PAGES }, (_, n) => watched(page(acme.id, { parentId: top.id, orderKey: n })));
  const below = others.map((one) => watched(page(acme.id, { parentId: one.id })));
  const empty = buildStructure(acme, 1, [owner], []);

  for (const [name, pages] of Object.entries({ 'of the page above': others, 'of a page each': below })) {
    it(`that brings pages back looks at a few in a step, if they are children ${name}`, () => {
      const before = buildStructure(acme, 1, [owner], name === 'of a page each' ? [top, ...others] : [top]);
      const change = { pages: [], restoredPages: pages };
      const { result, most } = mostLooks(changeStructure.inSteps(before, change), looks);
      expect(most).to.be.within(1, LOOKS_PER_STEP);
      expect(result.page(pages.at(-1)!.id)).to.equal(pages.at(-1));
      expect(result.children(pages[0]!.parentId)).to.have.length(name === 'of a page each' ? 1 : PAGES);
    });
  }

  it('that removes pages looks at a few in a step', () => {
    const before = atOnce(changeStructure.inSteps(empty, { pages: [top, ...others] }));
    const removedPages = others.slice(1).map(({ id }) => id);
    const { result, most } = mostLooks(changeStructure.inSteps(before, { removedPages }), looks);
    expect(most).to.be.within(1, LOOKS_PER_STEP);
    expect(result.children(top.id)).to.deep.equal([others[0]]);
  });
});
