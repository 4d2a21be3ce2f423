import type { Page } from '../model/page.ts';
import type { Structure } from '../model/structure.ts';

/** The tree laid out flat: parents before children, siblings in order. */
export interface TreeOrder {
  readonly pages: readonly Page[];
  /** Position of each page's parent, -1 at the top. */
  readonly parents: readonly number[];
}

/** Structures are immutable: the order of each is computed once. */
const orders = new WeakMap<Structure, TreeOrder>();

/** O(pages) the first time, then O(1). */
export function treeOrder(structure: Structure): TreeOrder {
  const known = orders.get(structure);
  if (known !== undefined) return known;
  const pages: Page[] = [];
  const parents: number[] = [];
  // A stack of the pages still to visit, each with the position of its parent.
  const waiting: Page[] = [];
  const under: number[] = [];
  const wait = (parentId: string | null, parent: number) => {
    const children = structure.children(parentId);
    for (let i = children.length - 1; i >= 0; i--) {
      waiting.push(children[i]!);
      under.push(parent);
    }
  };
  wait(null, -1);
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    parents.push(under.pop()!);
    wait(page.id, pages.push(page) - 1);
  }
  const order = { pages, parents };
  orders.set(structure, order);
  return order;
}

const positions = new WeakMap<TreeOrder, ReadonlyMap<string, number>>();

/** The position of a page in the order. O(pages) the first time, then O(1). */
export function positionIn(order: TreeOrder, pageId: string): number | undefined {
  let known = positions.get(order);
  if (known === undefined) {
    known = new Map(order.pages.map(({ id }, i) => [id, i]));
    positions.set(order, known);
  }
  return known.get(pageId);
}
