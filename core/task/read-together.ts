import { slicesOf } from '../kernel/slices.ts';

/** Tasks whose parts are read together: one by one, each would wait for the store. */
const TASKS_TOGETHER = 16;
/** If they count more comments than that, they are read one by one: comments are long. */
const COMMENTS_TOGETHER = 200;

/**
 * Divides tasks, in order, into groups of which the comments and other parts are to be read at once.
 *
 * @param commentCount of a task
 */
export function* readTogether<T>(
  tasks: readonly T[],
  commentCount: (task: T) => number,
): IterableIterator<readonly T[]> {
  for (const some of slicesOf(tasks, TASKS_TOGETHER)) {
    const comments = some.reduce((sum, task) => sum + commentCount(task), 0);
    if (comments <= COMMENTS_TOGETHER) yield some;
    else for (const task of some) yield [task];
  }
}
