import type { TaskView } from '../core/task/view.ts';
import type { Call } from './call.ts';
import { Failure } from './io/failure.ts';

/**
 * Takes steps that each write, one after the other.
 *
 * @param task named as what they change
 * @throws the error of the one that is refused, or a failure for a stop between two; how many are done is told before
 */
export async function oneByOne<T>(
  { io, out }: Call,
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
