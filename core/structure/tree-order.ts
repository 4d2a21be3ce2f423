import type { Page } from '../page/page.ts';
import type { Structure } from './structure.ts';

/** The tree laid out flat: parents before children, siblings in order. */
export interface TreeOrder {
  readonly pages: readonly Page[];
  /** Position of each page's parent, -1 at the top. */
  readonly parents: readonly number[];
  /** Position by page id. */
  readonly positions: ReadonlyMap<string, number>;
}

/** A structure never changes, so what follows from it is worked out once. */
const orders = new WeakMap<Structure, TreeOrder>();

/** O(pages) the first time, then O(1). */
export function treeOrder(structure: Structure): TreeOrder {
  const known = orders.get(structure);
  if (known !== undefined) return known;
  const pages: Page[] = [];
  const parents: number[] = [];
  const positions = new Map<string, number>();
  const stack: (readonly [Page, number])[] = [];
  const push = (parentId: string | null, parent: number) => {
    const children = structure.children(parentId);
    for (let i = children.length - 1; i >= 0; i--) stack.push([children[i]!, parent]);
  };
  push(null, -1);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [page, parent] = next;
    const position = pages.push(page) - 1;
    parents.push(parent);
    positions.set(page.id, position);
    push(page.id, position);
  }
  const order = { pages, parents, positions };
  orders.set(structure, order);
  return order;
}
