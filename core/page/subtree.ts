import type { Level } from '../model/access/level.ts';
import { levelUnder } from '../access/resolve.ts';
import { levelOn, type Viewer } from '../access/viewer.ts';
import { LastComputed } from '../kernel/last-computed.ts';
import { ITEMS_PER_STEP, forEachItemStepwise, mapStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Precomputed } from '../ports/precomputed.ts';

/** The pages removed with a page. */
export interface Nested {
  /** The page, its descendants, and for each board among them the pages of its tasks, wherever they are in the tree. */
  readonly pages: readonly Page[];
  /** The viewer's levels on them. */
  readonly levels: ReadonlySet<Level>;
  /** The change that removes all of them. */
  readonly change: StructureChange;
}

/** The most pages that the transaction of a removal collects itself. */
export const INLINE_LIMIT = 500;

/** Thrown to end a transaction: the subtree has more pages than it may visit. */
export class SubtreeTooLarge extends Error {}

/** The last result, by the structure, for calls that are repeated, and by the call that computed it. */
const cache = new LastComputed<Structure | Precomputed, Nested>();

/**
 * O(subtree), then cached.
 *
 * @param precomputed where this call finds the result, whatever others ask for
 * @throws {@link SubtreeTooLarge} unless it is cached
 */
export function* subtreeOf(viewer: Viewer, root: Page, most: number, precomputed?: Precomputed): Stepwise<Nested> {
  const { structure, principal } = viewer;
  const key = [structure, root, principal.memberId, principal.role];
  const last = cache.get(key, precomputed, structure);
  if (last !== null) return last;
  const nested = yield* walk(viewer, root, most);
  cache.set(key, nested, precomputed, structure);
  return nested;
}

function* walk(viewer: Viewer, root: Page, most: number): Stepwise<Nested> {
  const { structure, principal } = viewer;
  const pages: Page[] = [];
  const levelOf: Level[] = [];
  const levels = new Set<Level>();
  // A walk down visits no page twice. Only pages of tasks, which may be anywhere in the tree, need a check.
  let visited: Set<string> | null = null;
  const add = (page: Page, level: Level) => {
    if (visited?.has(page.id) === true) return;
    visited?.add(page.id);
    pages.push(page);
    levelOf.push(level);
  };
  add(root, levelOn(viewer, root.id));
  for (let i = 0; i < pages.length; i += 1) {
    if (pages.length > most) throw new SubtreeTooLarge();
    const { id, type } = pages[i]!;
    const level = levelOf[i]!;
    levels.add(level);
    const children = structure.children(id);
    if (children.length > most) throw new SubtreeTooLarge();
    yield* forEachItemStepwise(children, (child) => add(child, levelUnder(child, principal, level)));
    if (i % ITEMS_PER_STEP === 0) yield;
    if (type !== 'board') continue;
    const taskPages = structure.taskPages(id);
    if (taskPages.length > most) throw new SubtreeTooLarge();
    for (const page of taskPages) {
      visited ??= new Set(yield* mapStepwise(pages, (each) => each.id));
      add(page, levelOn(viewer, page.id));
      yield;
    }
  }
  return { pages, levels, change: { removedPages: yield* mapStepwise(pages, ({ id }) => id) } };
}
