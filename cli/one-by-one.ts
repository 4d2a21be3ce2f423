import type { TaskView } from '../core/task/view.ts';
import type { CommandCall } from './call.ts';
import { Failure } from './io/failure.ts';

/**
 * Runs several steps one after the other, each of which writes.
 *
 * @param task the task that they change, for messages
 * @throws the error of a refused step, or a failure if the program is stopped between two. The number of completed
 * steps is printed before
 */
export async function oneByOne<T>(
  { io, out }: CommandCall,
  steps: readonly (() => Promise<T>)[],
  task?: Pick<TaskView, 'num'>,
): Promise<readonly T[]> {
  const done: T[] = [];
  try {
    for (const step of steps) {
      if (io.stop.aborted) throw new Failure('interrupted', 'Interrupted.');
      done.push(await step());
    }
    return done;
  } catch (error) {
    const where = task === undefined ? '' : `#${task.num}: `;
    if (done.length > 0) out.note(`${where}${done.length} of ${steps.length} done; stopped there.`);
    throw error;
  }
}
