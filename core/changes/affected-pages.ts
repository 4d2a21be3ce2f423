import { pathUp } from '../access/resolve.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import { inSteps, sortedStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { type Level, VIEW } from '../model/access/level.ts';
import type { Page } from '../model/workspace/page.ts';
import { pagesChanged } from '../tree/build.ts';
import { bySiblingOrder } from '../tree/siblings.ts';

/** The levels of a member on some pages that they see. */
export interface SomeLevels {
  /** Parents before children, siblings in order. Parents may be missing. */
  readonly pages: readonly Page[];
  /** By position. */
  readonly levels: readonly Level[];
}

/** If more pages may be affected, one pass over all pages takes less. */
const MAX_AFFECTED = 2_000;

/**
 * The pages that may look different to a member in two structures, as the member sees them in each. O(such pages). Null
 * if there are too many, or if they are unknown, as when the level that all pages inherit has changed.
 *
 * @param others pages that are included in any case
 */
export async function affectedPages(
  before: Viewer,
  now: Viewer,
  others: ReadonlySet<string>,
): Promise<readonly [was: SomeLevels, is: SomeLevels] | null> {
  if (!hasSameBase(before, now)) return null;
  const { yielder } = now;
  const changed = await inSteps(pagesChanged(before.structure, now.structure), yielder);
  if (changed === null || changed.size + others.size > MAX_AFFECTED) return null;
  const found = new Set<string>();
  const boards = new Set<string>();
  await inSteps(addAffected(before, now, [...changed, ...others], found, boards), yielder);
  // Adding the pages of tasks may find further boards.
  for (const boardId of boards) {
    for (const { structure } of [before, now]) {
      // Enough for the search to stop: it does not matter which of them are found.
      const some = structure.taskPages(boardId).slice(0, MAX_AFFECTED + 1);
      const ids = some.map(({ id }) => id);
      await inSteps(addAffected(before, now, ids, found, boards), yielder);
    }
  }
  await inSteps(addBelowHidden(before, now, found), yielder);
  if (found.size > MAX_AFFECTED) return null;
  return [await inSteps(visibleOf(before, found), yielder), await inSteps(visibleOf(now, found), yielder)];
}

function hasSameBase(before: Viewer, now: Viewer): boolean {
  return (
    before.principal.role === now.principal.role &&
    before.structure.workspace.defaultAccess === now.structure.workspace.defaultAccess
  );
}

/**
 * Adds pages, and everything below those on which the member's level has changed: below the others, inherited levels
 * are as before. Adds the boards that became visible or hidden. Stops when more than {@link MAX_AFFECTED} are found.
 */
function* addAffected(
  before: Viewer,
  now: Viewer,
  ids: readonly string[],
  found: Set<string>,
  boards: Set<string>,
): Stepwise<void> {
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined && found.size <= MAX_AFFECTED; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    yield;
    const [was, is] = [levelOn(before, id), levelOn(now, id)];
    if (was === is) continue;
    const page = now.structure.page(id) ?? before.structure.page(id);
    if (page?.type === 'board' && was >= VIEW !== is >= VIEW) boards.add(id);
    for (const { structure } of [before, now]) {
      // So many that the search stops: which of them are found does not matter.
      for (const child of structure.children(id).slice(0, MAX_AFFECTED + 1)) waiting.push(child.id);
    }
  }
}

/** Adds what the member saw below the pages that are hidden now: it is removed with them. */
function* addBelowHidden(before: Viewer, now: Viewer, found: Set<string>): Stepwise<void> {
  const waiting: string[] = [];
  for (const id of found) {
    if (sees(before, id) && !sees(now, id)) waiting.push(id);
    yield;
  }
  const visited = new Set(waiting);
  for (let id = waiting.pop(); id !== undefined && found.size <= MAX_AFFECTED; id = waiting.pop()) {
    for (const child of before.structure.children(id).slice(0, MAX_AFFECTED + 1)) {
      if (visited.has(child.id)) continue;
      yield;
      if (!sees(before, child.id)) continue;
      visited.add(child.id);
      found.add(child.id);
      waiting.push(child.id);
    }
  }
}

function* visibleOf(viewer: Viewer, ids: ReadonlySet<string>): Stepwise<SomeLevels> {
  const paths: (readonly Page[])[] = [];
  for (const id of ids) {
    if (sees(viewer, id)) paths.push([...pathUp(viewer.structure, id)].toReversed());
    yield;
  }
  const sorted = yield* sortedStepwise(paths, inTreeOrder);
  const pages = sorted.map((path) => path.at(-1)!);
  return { pages, levels: pages.map(({ id }): Level => levelOn(viewer, id)) };
}

/** @param a a page and those above it, from the top @param b as well */
function inTreeOrder(a: readonly Page[], b: readonly Page[]): number {
  const length = Math.min(a.length, b.length);
  for (let depth = 0; depth < length; depth += 1) {
    if (a[depth] !== b[depth]) return bySiblingOrder(a[depth]!, b[depth]!);
  }
  return a.length - b.length;
}
