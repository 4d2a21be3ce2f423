import type { WorkspaceAddress } from '../model/address.ts';
import { DENIED, EDIT } from '../model/access/level.ts';
import { viewerOf, levelOn, seesBoard, viewerAfter, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { EspalierError, forbidden, recordRefused, unusable } from '../kernel/errors.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { requireDates } from './dates.ts';
import { insertTask, type TaskDraft } from './insert.ts';
import { aboutTask, pointersInside } from './many/about.ts';
import { plansFor, type PlacingPlan } from './place/placing-plan.ts';
import { namedInTask, taskView, type TaskView } from './view.ts';

/** What `tasks.create` takes: a new task. */
export interface CreateTask extends WorkspaceAddress, Omit<TaskDraft, 'id' | 'num' | 'createdById' | 'createdAt'> {
  /** A task page without a task: the task becomes its content, and gives it its name. */
  readonly pageId?: string | null;
}

/** What `tasks.createMany` takes: new tasks. */
export interface CreateTasks extends WorkspaceAddress {
  /** 1-1,000 tasks, created in this order. */
  readonly tasks: readonly Omit<CreateTask, 'workspaceId'>[];
}

/** @throws `board-without-status`, `column-crowded`, `page-has-content`, `external-id-taken`, `unusable-reference` */
export function createTask(context: Context, input: CreateTask): Promise<TaskView> {
  requireDates(input);
  return write(withNamedRecords(context, namedInTask), async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    return (await createOne(tx, context, viewer, input)).view;
  });
}

/** Creates all of them or none. Errors point to `/tasks/N`, or into it. */
export function createTasks(context: Context, input: CreateTasks): Promise<readonly TaskView[]> {
  for (const [i, draft] of input.tasks.entries()) within(i, () => requireDates(draft));
  const { workspaceId } = input;
  const records = (views: readonly TaskView[]) => views.flatMap((view) => namedInTask(view).records);
  const answer = withNamedRecords(context, (views: readonly TaskView[]) => ({ workspaceId, records: records(views) }));
  let views: TaskView[] = [];
  return write(answer, async (tx) => {
    let viewer = await viewerOf(tx, context, input.workspaceId);
    for (const [i, draft] of input.tasks.entries()) {
      within(i, () => requireBoard(viewer, draft.boardId));
      const pause = viewer.yielder.step();
      if (pause !== null) await pause;
    }
    const first = await tx.tasks.reserveNums(input.workspaceId, input.tasks.length);
    views = [];
    const plans = plansFor(input.tasks);
    for (const [i, draft] of input.tasks.entries()) {
      const given = { ...draft, workspaceId: input.workspaceId, num: first + i };
      const made = await createOne(tx, context, viewer, given, plans[i]).catch((error: unknown) =>
        within(i, () => raise(error)),
      );
      viewer = made.viewer;
      views.push(made.view);
    }
    return views;
  }).catch((error: unknown) => {
    const index = views.findIndex(({ id }) => id === recordRefused(error));
    throw index < 0 ? error : atIndex(error, index);
  });
}

async function createOne(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  input: CreateTask & { readonly num?: number },
  plan?: PlacingPlan,
): Promise<{ readonly viewer: Viewer; readonly view: TaskView }> {
  requireBoard(viewer, input.boardId);
  const page = input.pageId == null ? undefined : taskPage(viewer, input.pageId);
  const task = await insertTask(tx, context, viewer, page === undefined ? input : { ...input, id: page.id }, plan);
  if (page === undefined) return { viewer, view: await taskView(tx, viewer, task) };
  const content = { contentId: task.id, boardId: task.boardId, name: task.title };
  const pages = [changed(page, content, timestamp(context))];
  const after = viewerAfter(viewer, await tx.structures.change(viewer.structure, { pages }));
  return { viewer: after, view: await taskView(tx, after, task) };
}

function requireBoard(viewer: Viewer, boardId: string): void {
  if (!seesBoard(viewer, boardId)) throw unusable('boardId');
  if (levelOn(viewer, boardId) < EDIT) throw forbidden('This needs Editing on the board.');
}

function taskPage(viewer: Viewer, pageId: string) {
  const page = viewer.structure.page(pageId);
  const level = levelOn(viewer, pageId);
  if (page === undefined || level === DENIED || page.type !== 'task') throw unusable('pageId');
  if (level < EDIT) throw forbidden('This needs Editing on the page.');
  return page;
}

/** Errors of the work say at which index it is about. */
function within<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw atIndex(error, index);
  }
}

/** An error with its pointers inside the task at an index, or else to that. */
function atIndex(error: unknown, index: number): unknown {
  const pointer = `/tasks/${index}`;
  if (!(error instanceof EspalierError) || error.errors.length === 0)
    return aboutTask(error, { pointer, detail: 'is the task that this error is about' });
  return new EspalierError(error.code, error.detail, pointersInside(error, pointer));
}

function raise(error: unknown): never {
  throw error;
}
