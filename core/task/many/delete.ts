import { governingPageId, viewerOf, type Viewer } from '../../access/viewer.ts';
import { EspalierError } from '../../kernel/errors.ts';
import { inSteps } from '../../kernel/stepwise.ts';
import type { Task } from '../../model/content/task.ts';
import { subtreeOf, SubtreeTooLarge } from '../../page/subtree.ts';
import type { Context } from '../../ports/context.ts';
import { write } from '../../write/transaction.ts';
import { deleteSeenTask } from '../delete.ts';
import { aboutRefused, aboutTask, pointerTo } from './about.ts';
import { planThenWrite } from './plan-then-write.ts';
import {
  requireSelection,
  selectTasks,
  stillSelected,
  type TaskCount,
  type TaskSelection,
  versionsOf,
} from './select.ts';

/** The most pages that are deleted with the tasks of one call: those of the tasks, and all nested under them. */
const MAX_PAGES = 2_000;

/**
 * Deletes up to 1,000 tasks, each as if it were deleted alone: all of them, or none. They are found and checked on a
 * snapshot while others write, as in `updateTasks`. Errors point to the task or the filter.
 *
 * @throws as `selectTasks`, and as the deletion of one task; `too-many` also for more than 2,000 pages
 */
export async function deleteTasks(context: Context, input: TaskSelection): Promise<TaskCount> {
  requireSelection(input);
  // The call itself makes the tasks that it names unusable.
  const unconditional: Context = { ...context, ifVersion: undefined, undoes: 'unusable-reference' };
  return planThenWrite(
    context,
    async (tx) => versionsOf(await selectTasks(tx, context, input)),
    (selected, outdated) => {
      let tasks: readonly Task[] = [];
      return write(unconditional, async (tx) => {
        let viewer = await viewerOf(tx, context, input.workspaceId);
        const known = selected === null ? null : ((await stillSelected(tx, viewer, selected)) ?? outdated());
        tasks = known ?? (await selectTasks(tx, context, input)).tasks;
        let pages = 0;
        for (const [i, task] of tasks.entries()) {
          // It was deleted with the page of another one.
          if (governingPageId(viewer.structure, task) === null) continue;
          pages += await pagesUnder(viewer, task, MAX_PAGES - pages);
          try {
            viewer = await deleteSeenTask(tx, unconditional, viewer, task, Infinity);
          } catch (error) {
            throw aboutTask(error, pointerTo(input, task, i));
          }
          const pause = viewer.yielder.step();
          if (pause !== null) await pause;
        }
        return { count: tasks.length };
      }).catch((error: unknown) => {
        throw aboutRefused(error, input, tasks);
      });
    },
  );
}

/** The number of pages that are deleted with a task; the deletion finds them cached. @throws `too-many` */
async function pagesUnder(viewer: Viewer, task: Task, most: number): Promise<number> {
  const page = viewer.structure.page(task.id);
  if (page === undefined) return 0;
  try {
    return (await inSteps(subtreeOf(viewer, page, most), viewer.yielder)).pages.length;
  } catch (error) {
    if (!(error instanceof SubtreeTooLarge)) throw error;
    throw new EspalierError('too-many', `More than ${MAX_PAGES} pages would be deleted: delete fewer tasks at once.`);
  }
}
