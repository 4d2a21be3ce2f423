import { type Level, VIEW } from '../../model/access/level.ts';
import {
  mapNowOrLater,
  forEachStepwise,
  inSteps,
  forEachItemStepwise,
  StepwiseCache,
  type Stepwise,
} from '../../kernel/stepwise.ts';
import { type PageLevels, resolverUnder } from '../../access/resolve.ts';
import { levelsOnAllPages, seesBoard, type Viewer } from '../../access/viewer.ts';
import { NamedStepwiseCache } from '../../kernel/named-stepwise-cache.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { TaskScope } from '../../model/content/task-query.ts';
import { asksForTemplates, type TaskFilters, type TemplateContents } from './filters.ts';

interface Visible {
  readonly scope: TaskScope;
  /** The scope without what is in templates; the same object if there are none. */
  readonly withoutTemplates: TaskScope;
  readonly templates: TemplateContents;
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
 * The tasks that a list with these filters is about, and what is in templates. Costs as much as {@link scopeOf}, or as
 * {@link hiddenOn} for each board that the filters name.
 */
export function listedFor(viewer: Viewer, filters: TaskFilters): ListedTasks | Promise<ListedTasks> {
  const { boardId, template } = filters;
  if (boardId !== undefined && template === undefined) {
    return scopeOn(viewer, boardId).then((scope) => ({ scope, templates: NO_TEMPLATES }));
  }
  return mapNowOrLater(visibleTo(viewer), ({ scope, withoutTemplates, templates }) => ({
    scope: asksForTemplates(filters) ? scope : withoutTemplates,
    templates,
  }));
}

/** The part of a scope that is on some boards. */
async function scopeOn(viewer: Viewer, boardIds: readonly string[]): Promise<TaskScope> {
  const boards = new Set(boardIds.filter((id) => seesBoard(viewer, id)));
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
 * The tasks that may be on a board and that the viewer does not see there: those hidden by their own pages, and those
 * removed with a page. The same set object each time for a revision and a member, as long as it is cached. O(pages of
 * tasks of the board, plus the depth of each of their parents, plus removed tasks), in steps; then O(1).
 */
export async function hiddenOn(viewer: Viewer, boardId: string): Promise<ReadonlySet<string>> {
  const { structure, member, yielder } = viewer;
  const pages = structure.taskPages(boardId);
  const removed = structure.removedTasks();
  const most = pages.length + removed.size;
  if (most === 0) return NONE;
  return hiddenCache.of(structure, member.id + boardId, 1 + most, () => hiddenAmong(viewer, pages, removed), yielder);
}

/** By structure, and by the ids of member and board. Its size is the most ids that are cached as hidden. */
const hiddenCache = new NamedStepwiseCache<Structure, ReadonlySet<string>>(500_000);

function* hiddenAmong(viewer: Viewer, pages: readonly Page[], removed: ReadonlySet<string>): Stepwise<Set<string>> {
  const { structure, principal } = viewer;
  const hidden = new Set<string>();
  const resolvers = new Map<string | null, (child: Page) => Level>();
  yield* forEachItemStepwise(pages, (page) => {
    const { id, parentId } = page;
    const levelOf = resolvers.get(parentId) ?? resolverUnder(structure, principal, parentId);
    resolvers.set(parentId, levelOf);
    if (levelOf(page) < VIEW) hidden.add(id);
  });
  yield* forEachItemStepwise(removed, (id) => void hidden.add(id));
  return hidden;
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
    if (!seen && boards.has(boardId)) hidden.add(id);
  });
  yield* forEachItemStepwise(structure.removedTasks(), (id) => void hidden.add(id));
  const scope: TaskScope = { boards, hidden, withoutBoard };
  if (!hasTemplates) return { scope, withoutTemplates: scope, templates: NO_TEMPLATES };
  const templates = yield* templatesIn(all);
  return { scope, withoutTemplates: yield* outside(templates, scope), templates };
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
