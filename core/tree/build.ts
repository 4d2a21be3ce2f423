import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { atOnce, forEachItemStepwise, mapStepwise, sortedStepwise, union, type Stepwise } from '../kernel/stepwise.ts';
import { memoizeByChange } from './memoize-change.ts';
import { GrowingMap, LayeredMap } from './layered-map.ts';
import { dropUnreachable, TOP } from './reach.ts';
import { type Removal, removalOf } from './removal.ts';
import { bySiblingOrder, siblingsAfter } from './siblings.ts';
import { addPageToTotals, cacheTotals, cacheTotalsAfter, noTotals } from './totals.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import { addToList } from '../kernel/group.ts';

interface StructureParts {
  readonly workspace: Workspace;
  readonly revision: number;
  readonly members: LayeredMap<Member>;
  readonly membersOfUsers: LayeredMap<Member>;
  readonly pages: LayeredMap<Page>;
  readonly children: LayeredMap<readonly Page[]>;
  /** Pages of tasks by their boards. In sibling order, so that one is found by binary search. */
  readonly taskPages: LayeredMap<readonly Page[]>;
  readonly removedTasks: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * A structure held in memory as a whole. O(n log n).
 *
 * @param pages stored pages, including unreachable ones
 * @param removedTasks known removed tasks besides those of the given pages
 */
export function buildStructure(
  workspace: Workspace,
  revision: number,
  members: Iterable<Member>,
  pages: Iterable<Page>,
  removedTasks: Iterable<string> = NONE,
): Structure {
  return atOnce(structureSteps(workspace, revision, members, pages, removedTasks));
}

/** Like {@link buildStructure}, in steps of one record. */
export function* structureSteps(
  workspace: Workspace,
  revision: number,
  members: Iterable<Member>,
  pages: Iterable<Page>,
  removedTasks: Iterable<string> = NONE,
): Stepwise<Structure> {
  const byId = new GrowingMap<Member>();
  const byUser = new GrowingMap<Member>();
  const totals = noTotals();
  for (const member of members) {
    byId.set(member.id, member);
    byUser.set(member.userId, member);
    if (member.active) totals.members += 1;
    yield;
  }
  const pagesById = new GrowingMap<Page>();
  const children = new GrowingMap<Page[]>();
  for (const page of pages) {
    pagesById.set(page.id, page);
    addToList(children, page.parentId ?? TOP, page);
    yield;
  }
  for (const [parentId, siblings] of children) {
    children.set(parentId, yield* sortedStepwise(siblings, bySiblingOrder));
    yield;
  }
  const dropped = yield* dropUnreachable(pagesById, children);
  const removed = new Set(removedTasks);
  yield* forEachItemStepwise(dropped, (id) => void removed.add(id));
  const taskPages = new GrowingMap<Page[]>();
  for (const page of pagesById.values()) {
    addPageToTotals(totals, page, 1);
    if (page.boardId !== null) addToList(taskPages, page.boardId, page);
    yield;
  }
  for (const [boardId, some] of taskPages) {
    taskPages.set(boardId, yield* sortedStepwise(some, bySiblingOrder));
    yield;
  }
  const structure = new WholeStructure({
    workspace,
    revision,
    members: LayeredMap.of(byId),
    membersOfUsers: LayeredMap.of(byUser),
    pages: LayeredMap.of(pagesById),
    children: LayeredMap.of<readonly Page[]>(children),
    taskPages: LayeredMap.of<readonly Page[]>(taskPages),
    removedTasks: removed,
  });
  cacheTotals(structure, totals);
  return structure;
}

/** The next revision of a structure: the result of a change. The given structure is not modified. */
export const changeStructure = memoizeByChange(function* (structure, change): Stepwise<Structure> {
  const parts = structure instanceof WholeStructure ? structure.parts : wholeOf(structure).parts;
  const members = change.members ?? [];
  const { restoredPages = [] } = change;
  const pages = restoredPages.length === 0 ? (change.pages ?? []) : (change.pages ?? []).concat(restoredPages);
  const removal = yield* removalOf.inSteps(structure, change);
  const { ids: removed, topmost } = removal;
  const next = new WholeStructure({
    workspace: change.workspace ?? parts.workspace,
    revision: parts.revision + 1,
    members: yield* parts.members.with(members.map((member) => [member.id, member])),
    membersOfUsers: yield* parts.membersOfUsers.with(members.map((member) => [member.userId, member])),
    pages: yield* parts.pages.with(yield* mapStepwise(pages, (page): [string, Page] => [page.id, page]), removed),
    children: yield* listsAfter(parts.children, parentOf, parts, pages, removed, topmost),
    taskPages: yield* listsAfter(parts.taskPages, boardOf, parts, pages, removed, removal.pages),
    removedTasks: change.settled === true ? NONE : yield* removedTasksAfter(parts, removal, change),
  });
  yield* cacheTotalsAfter(structure, change, next);
  return next;
});

/** The tasks of `roots` are removed in the same transaction, so they are left out. */
function* removedTasksAfter(
  parts: StructureParts,
  { ids, pages, roots }: Removal,
  change: StructureChange,
): Stepwise<ReadonlySet<string>> {
  const { restoredPages = [], waitingTasks = [] } = change;
  const removed: string[] = [...waitingTasks];
  yield* forEachItemStepwise(pages, ({ id, boardId }) => {
    if (boardId !== null && !ids.has(boardId) && parts.pages.get(boardId) !== undefined) removed.push(id);
  });
  const before = parts.removedTasks;
  const back = new Set<string>();
  const note = ({ id }: Page): void => {
    if (before.has(id)) back.add(id);
  };
  if (before.size > 0) {
    yield* forEachItemStepwise(change.pages ?? [], note);
    yield* forEachItemStepwise(restoredPages, note);
  }
  if (removed.length + back.size === 0) return before;
  const done = new Set(roots.map(({ id }) => id));
  const waiting = new Set<string>();
  yield* forEachItemStepwise(before, (id) => {
    if (!back.has(id)) waiting.add(id);
  });
  yield* forEachItemStepwise(removed, (id) => {
    if (!done.has(id)) waiting.add(id);
  });
  return back.size === 0 && waiting.size === before.size ? before : waiting;
}

function parentOf({ parentId }: Page): string {
  return parentId ?? TOP;
}

function boardOf({ boardId }: Page): string | null {
  return boardId;
}

/**
 * Lists of pages, each under the id of another page, after a change. The lists of removed pages are dropped.
 *
 * @param keyOf the id under which a page is listed; null: under none
 * @param gone removed pages whose list stays
 */
function* listsAfter(
  lists: LayeredMap<readonly Page[]>,
  keyOf: (page: Page) => string | null,
  parts: StructureParts,
  put: readonly Page[],
  removed: ReadonlySet<string>,
  gone: readonly Page[],
): Stepwise<LayeredMap<readonly Page[]>> {
  const leaving = new Map<string, Page[]>();
  const arriving = new Map<string, Page[]>();
  const add = (to: Map<string, Page[]>, page: Page): void => {
    const key = keyOf(page);
    if (key !== null) addToList(to, key, page);
  };
  yield* forEachItemStepwise(put, (page) => {
    add(arriving, page);
    const before = parts.pages.get(page.id);
    if (before !== undefined) add(leaving, before);
  });
  yield* forEachItemStepwise(gone, (page) => add(leaving, page));
  if (leaving.size + arriving.size + removed.size === 0) return lists;
  const changes: [string, readonly Page[]][] = [];
  const emptied: string[] = [];
  const settle = function* (key: string): Stepwise<void> {
    if (removed.has(key)) return;
    const before = lists.get(key) ?? [];
    const siblings = yield* siblingsAfter(before, leaving.get(key) ?? [], arriving.get(key) ?? []);
    if (siblings.length === 0) emptied.push(key);
    else changes.push([key, siblings]);
    yield;
  };
  for (const key of leaving.keys()) if (!arriving.has(key)) yield* settle(key);
  for (const key of arriving.keys()) yield* settle(key);
  return yield* lists.with(changes, emptied.length === 0 ? removed : yield* union(removed, emptied));
}

const changedSince = new WeakMap<Structure, WeakMap<Structure, ReadonlySet<string>>>();

/**
 * The ids of pages that differ between two structures, or are in one of them only; then cached. O(pages that they do
 * not share), which are few if one was made from the other by few changes. Null if one of them is not in memory as a
 * whole.
 */
export function* pagesChanged(before: Structure, after: Structure): Stepwise<ReadonlySet<string> | null> {
  const known = changedSince.get(after)?.get(before);
  if (known !== undefined) return known;
  if (!(before instanceof WholeStructure && after instanceof WholeStructure)) return null;
  const changed = yield* after.parts.pages.keysChangedSince(before.parts.pages);
  const ofAfter = changedSince.get(after) ?? new WeakMap<Structure, ReadonlySet<string>>();
  changedSince.set(after, ofAfter.set(before, changed));
  return changed;
}

function wholeOf(structure: Structure): WholeStructure {
  return buildStructure(
    structure.workspace,
    structure.revision,
    structure.members(),
    structure.pages(),
    structure.removedTasks(),
  ) as WholeStructure;
}

class WholeStructure implements Structure {
  readonly parts: StructureParts;

  constructor(parts: StructureParts) {
    this.parts = parts;
  }

  get workspace(): Workspace {
    return this.parts.workspace;
  }

  get revision(): number {
    return this.parts.revision;
  }

  members(): Iterable<Member> {
    return this.parts.members.values();
  }

  member(id: string): Member | undefined {
    return this.parts.members.get(id);
  }

  memberOfUser(userId: string): Member | undefined {
    return this.parts.membersOfUsers.get(userId);
  }

  pages(): Iterable<Page> {
    return this.parts.pages.values();
  }

  page(id: string): Page | undefined {
    return this.parts.pages.get(id);
  }

  children(parentId: string | null): readonly Page[] {
    return this.parts.children.get(parentId ?? TOP) ?? [];
  }

  taskPages(boardId: string): readonly Page[] {
    return this.parts.taskPages.get(boardId) ?? [];
  }

  removedTasks(): ReadonlySet<string> {
    return this.parts.removedTasks;
  }

  isRemovedTask(id: string): boolean {
    return this.parts.removedTasks.has(id);
  }
}
