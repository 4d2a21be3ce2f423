import { VIEW } from '../../model/access/level.ts';
import {
  mapNowOrLater,
  forEachStepwise,
  inSteps,
  forEachItemStepwise,
  union,
  StepwiseCache,
  type Stepwise,
} from '../../kernel/stepwise.ts';
import type { PageLevels } from '../../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../../access/viewer.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { TaskScope } from '../../model/content/task-query.ts';
import { asksForTemplates, type TaskFilters, type TemplateContents } from './filters.ts';
import { addToSet } from '../../kernel/group.ts';

interface Visible {
  readonly scope: TaskScope;
  /** The scope without what is in templates; the same object if there are none. */
  readonly withoutTemplates: TaskScope;
  readonly templates: TemplateContents;
  /** The hidden tasks of the scope, by board. */
  readonly hiddenOn: Map<string, ReadonlySet<string>>;
}

/** Computed once per levels, which are immutable. */
const cache = new StepwiseCache<PageLevels, Visible>();

const NONE: ReadonlySet<string> = new Set();

/** The tasks that a viewer sees. O(pages), in steps, once per revision and member; then O(1). */
export function scopeOf(viewer: Viewer): TaskScope | Promise<TaskScope> {
  return mapNowOrLater(visibleTo(viewer), ({ scope }) => scope);
}

/** What a list of tasks is about. */
export interface ListedTasks {
  readonly scope: TaskScope;
  readonly templates: TemplateContents;
}

/**
 * The tasks that a list with these filters is about, and what is in templates. Costs as much as {@link scopeOf}; in
 * addition O(tasks that are hidden on them), where it is about several boards.
 */
export function listedFor(viewer: Viewer, filters: TaskFilters): ListedTasks | Promise<ListedTasks> {
  return mapNowOrLater(visibleTo(viewer), ({ scope, withoutTemplates, templates }) => {
    if (!asksForTemplates(filters)) return { scope: withoutTemplates, templates };
    const { boardId } = filters;
    if (boardId === undefined || scope.hidden.size + scope.withoutBoard.size === 0) return { scope, templates };
    return scopeOn(viewer, scope, boardId).then((onBoards) => ({ scope: onBoards, templates }));
  });
}

/** The part of a scope that is on some boards: a store looks at all tasks that are hidden in a scope. */
async function scopeOn(viewer: Viewer, scope: TaskScope, boardIds: readonly string[]): Promise<TaskScope> {
  const boards = new Set(boardIds.filter((id) => scope.boards.has(id)));
  const [first] = boards;
  if (first !== undefined && boards.size === 1)
    return { boards, hidden: await hiddenOn(viewer, first), withoutBoard: NONE };
  const hidden = new Set<string>();
  for (const id of boards) {
    const onBoard = forEachItemStepwise(await hiddenOn(viewer, id), (taskId) => void hidden.add(taskId));
    await inSteps(onBoard, viewer.yielder);
  }
  return { boards, hidden, withoutBoard: NONE };
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

function visibleTo(viewer: Viewer): Visible | Promise<Visible> {
  return mapNowOrLater(levelsOnAllPages(viewer), (all) =>
    cache.of(all, () => visibleFrom(all, viewer.structure), viewer.yielder),
  );
}

function* visibleFrom(all: PageLevels, structure: Structure): Stepwise<Visible> {
  const { order, levels } = all;
  const { pages } = order;
  const boards = new Set<string>();
  const hiddenOn = new Map<string, Set<string>>();
  const hidden = new Set<string>();
  const withoutBoard = new Set<string>();
  let hasTemplates = false;
  yield* forEachStepwise(pages.length, (i) => {
    if (pages[i]!.type === 'board' && levels[i]! >= VIEW) boards.add(pages[i]!.id);
    if (pages[i]!.template === true && levels[i]! >= VIEW) hasTemplates = true;
  });
  yield* forEachStepwise(pages.length, (i) => {
    const { id, type, boardId } = pages[i]!;
    if (type === 'board' || boardId === null) return;
    const seen = levels[i]! >= VIEW;
    if (seen && !boards.has(boardId)) withoutBoard.add(id);
    if (seen || !boards.has(boardId)) return;
    hidden.add(id);
    addToSet(hiddenOn, boardId, id);
  });
  yield* forEachItemStepwise(structure.removedTasks(), (id) => void hidden.add(id));
  const scope: TaskScope = { boards, hidden, withoutBoard };
  if (!hasTemplates) return { scope, withoutTemplates: scope, templates: NO_TEMPLATES, hiddenOn };
  const templates = yield* templatesIn(all);
  return { scope, withoutTemplates: yield* outside(templates, scope), templates, hiddenOn };
}

const NO_TEMPLATES: TemplateContents = { boards: NONE, tasks: NONE };

/**
 * The visible boards and pages of tasks that are templates, or below one with nothing hidden in between. So lists
 * disclose nothing about hidden pages, and change only with pages that the viewer sees, whose changes have events.
 */
function* templatesIn({ order: { pages, parents }, levels }: PageLevels): Stepwise<TemplateContents> {
  const boards = new Set<string>();
  const tasks = new Set<string>();
  const isIn = new Uint8Array(pages.length);
  yield* forEachStepwise(pages.length, (i) => {
    const { id, type, boardId, template } = pages[i]!;
    const parent = parents[i]!;
    if (levels[i]! < VIEW || (template !== true && (parent < 0 || isIn[parent] === 0))) return;
    isIn[i] = 1;
    if (type === 'board') boards.add(id);
    else if (boardId !== null) tasks.add(id);
  });
  return { boards, tasks };
}

/** A task is in a template if its visible board is, or its own page. */
function* outside({ boards: left, tasks }: TemplateContents, scope: TaskScope): Stepwise<TaskScope> {
  const boards = new Set<string>();
  const hidden = new Set<string>();
  const withoutBoard = new Set<string>();
  yield* forEachItemStepwise(scope.boards, (id) => {
    if (!left.has(id)) boards.add(id);
  });
  yield* forEachItemStepwise(scope.hidden, (id) => void hidden.add(id));
  yield* forEachItemStepwise(tasks, (id) => {
    if (!scope.withoutBoard.has(id)) hidden.add(id);
  });
  yield* forEachItemStepwise(scope.withoutBoard, (id) => {
    if (!tasks.has(id)) withoutBoard.add(id);
  });
  return { boards, hidden, withoutBoard };
}
