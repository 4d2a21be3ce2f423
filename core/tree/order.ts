import { listOfLength, whileStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { totalsOf } from './totals.ts';

/** The tree in pre-order: parents before children, siblings in order. */
export interface TreeOrder {
  readonly pages: readonly Page[];
  /** Position of each page's parent, -1 at the top. */
  readonly parents: Int32Array;
}

/** O(pages). Calls `pages()` first, so that a lazy structure loads all pages at once instead of one by one. */
export function* treeOrder(structure: Structure): Stepwise<TreeOrder> {
  structure.pages();
  const { pages: count } = totalsOf(structure);
  const pages = listOfLength<Page>(count);
  const parents = new Int32Array(count);
  let last = -1;
  const path = [{ children: structure.children(null), next: 0, position: -1 }];
  /** Advances by one page, or one level up. False at the end. */
  const goOn = (): boolean => {
    const row = path.at(-1);
    if (row === undefined) return false;
    const page = row.children[row.next++];
    if (page === undefined) {
      path.pop();
      return true;
    }
    last += 1;
    pages[last] = page;
    parents[last] = row.position;
    const children = structure.children(page.id);
    if (children.length > 0) path.push({ children, next: 0, position: last });
    return true;
  };
  yield* whileStepwise(goOn);
  return { pages, parents };
}
