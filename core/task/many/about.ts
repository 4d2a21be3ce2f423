import { EspalierError, type FieldError, recordRefused } from '../../kernel/errors.ts';
import type { Task } from '../../model/content/task.ts';

/** The tasks that a call has named. Absent: a filter finds them. */
interface NamedTasks {
  readonly taskIds?: readonly string[];
}

/**
 * An error of a call about many tasks, with the one that it is about.
 *
 * @param which see {@link pointerTo}
 * @param inside where its pointers start in the input of the call
 */
export function aboutTask(error: unknown, which: FieldError, inside = ''): unknown {
  if (!(error instanceof EspalierError) || !isRefusal(error)) return error;
  return new EspalierError(error.code, error.detail, [...pointersInside(error, inside), which]);
}

/** The other errors come from the store, or ask for room to be made before the call is repeated. */
function isRefusal(error: EspalierError): boolean {
  return error.constructor === EspalierError && !error.code.startsWith('store-');
}

/** The pointers of an error, as they are in the input of the call about many. */
export function pointersInside({ errors }: EspalierError, inside: string): readonly FieldError[] {
  return errors.map(({ pointer, detail }) => ({ pointer: `${inside}${pointer}`, detail }));
}

/** Where a call has named a task that the caller sees, or the filter that found it. @param index among the selected */
export function pointerTo({ taskIds }: NamedTasks, { id, num }: Pick<Task, 'id' | 'num'>, index: number): FieldError {
  if (taskIds === undefined)
    return { pointer: '/filter', detail: `finds task #${num} (${id}), which this error is about` };
  return { pointer: `/taskIds/${index}`, detail: 'is the task that this error is about' };
}

/** An error of a write that a quota or a guard refused, with the one of the selected tasks that it was refused for. */
export function aboutRefused(error: unknown, named: NamedTasks, tasks: readonly Pick<Task, 'id' | 'num'>[]): unknown {
  const id = recordRefused(error);
  const index = id === undefined ? -1 : tasks.findIndex((task) => task.id === id);
  return index < 0 ? error : aboutTask(error, pointerTo(named, tasks[index]!, index));
}
