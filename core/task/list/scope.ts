import { VIEW } from '../../model/access/level.ts';
import {
  following,
  forEachStepwise,
  inSteps,
  forEachItemStepwise,
  StepwiseCache,
  type Stepwise,
} from '../../kernel/stepwise.ts';
import type { PageLevels } from '../../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../../access/viewer.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { TaskScope } from '../../model/content/task-query.ts';

interface Visible {
  readonly scope: TaskScope;
  /** The hidden tasks of the scope, by board. */
  readonly hiddenOn: Map<string, ReadonlySet<string>>;
}

/** Computed once per levels, which are immutable. */
const known = new StepwiseCache<PageLevels, Visible>();

const NONE: ReadonlySet<string> = new Set();

/** The tasks that a viewer sees. O(pages), in steps, once per revision and member; then O(1). */
export function scopeOf(viewer: Viewer): TaskScope | Promise<TaskScope> {
  return following(visibleTo(viewer), ({ scope }) => scope);
}

/**
 * The hidden tasks of the scope that may be on a board: those hidden by their own pages, and those removed with a page.
 * The same set object each time for a revision and a member. Costs as much as {@link scopeOf}.
 */
export async function hiddenOn(viewer: Viewer, boardId: string): Promise<ReadonlySet<string>> {
  const { hiddenOn: byBoard } = await visibleTo(viewer);
  const hidden = byBoard.get(boardId) ?? NONE;
  const both = await inSteps(union(hidden, viewer.structure.removedTasks()), viewer.yielder);
  if (both.size === hidden.size) return hidden;
  byBoard.set(boardId, both);
  return both;
}

/** The set itself if all of the ids are in it. */
function* union(set: ReadonlySet<string>, ids: Iterable<string>): Stepwise<ReadonlySet<string>> {
  const missing: string[] = [];
  yield* forEachItemStepwise(ids, (id) => {
    if (!set.has(id)) missing.push(id);
  });
  if (missing.length === 0) return set;
  const all = new Set<string>();
  yield* forEachItemStepwise(set, (id) => void all.add(id));
  yield* forEachItemStepwise(missing, (id) => void all.add(id));
  return all;
}

function visibleTo(viewer: Viewer): Visible | Promise<Visible> {
  return following(levelsOnAllPages(viewer), (all) =>
    known.of(all, () => visibleFrom(all, viewer.structure), viewer.yielder),
  );
}

function* visibleFrom({ order, levels }: PageLevels, structure: Structure): Stepwise<Visible> {
  const { pages } = order;
  const boards = new Set<string>();
  const hiddenOn = new Map<string, Set<string>>();
  const hidden = new Set<string>();
  const withoutBoard = new Set<string>();
  yield* forEachStepwise(pages.length, (i) => {
    if (pages[i]!.type === 'board' && levels[i]! >= VIEW) boards.add(pages[i]!.id);
  });
  yield* forEachStepwise(pages.length, (i) => {
    const { id, type, boardId } = pages[i]!;
    if (type === 'board' || boardId === null) return;
    const seen = levels[i]! >= VIEW;
    if (seen && !boards.has(boardId)) withoutBoard.add(id);
    if (seen || !boards.has(boardId)) return;
    hidden.add(id);
    add(hiddenOn, boardId, id);
  });
  yield* forEachItemStepwise(structure.removedTasks(), (id) => void hidden.add(id));
  return { scope: { boards, hidden, withoutBoard }, hiddenOn };
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
