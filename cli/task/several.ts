import type { TaskView } from '../../core/task/view.ts';
import type { CommandCall } from '../call.ts';
import { Failure, failureOf } from '../io/failure.ts';
import type { Exit } from '../io/exit-codes.ts';
import { joined, oneLine, safe } from '../io/safe-text.ts';
import { changesText, taskColumns } from '../output/record/task.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { namesIn, type ShownTask } from './names.ts';

/** A task before and after a command. */
export interface TaskChange {
  readonly before: ShownTask;
  readonly after: ShownTask;
}

/** Whether several tasks are given: then the command reports where it was interrupted. */
export function takesSeveral(call: CommandCall): boolean {
  return call.args.length > 1;
}

/** The tasks, and the argument after them. */
export function splitLast({ args }: CommandCall): readonly [tasks: readonly string[], last: string] {
  return [args.slice(0, -1), args.at(-1)!];
}

/** Whether several tasks are given in front of the last argument. */
export function takesSeveralBeforeLast(call: CommandCall): boolean {
  return call.args.length > 2;
}

/** The named tasks: the name by id. A task that is named twice is there once. */
export async function tasksNamed(
  workspace: WorkspaceLookup,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  for (const ref of refs) {
    const id = await workspace.task(ref);
    if (!named.has(id)) named.set(id, ref);
  }
  return named;
}

/**
 * Runs `work` on each named task in order. A refused one is reported on stderr, and the others go on.
 *
 * @param named as {@link tasksNamed} finds them, before anything is written
 * @param work gets the present task
 * @throws the error if there is only one task, a failure with the number of refused ones, or what is left after an
 * interruption
 */
export async function eachTask<T>(
  call: CommandCall,
  { session, workspaceId }: WorkspaceLookup,
  named: ReadonlyMap<string, string>,
  work: (task: TaskView) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = [];
  const refused: Exit[] = [];
  const left = new Set(named.values());
  for (const [taskId, ref] of named) {
    try {
      if (named.size > 1 && call.io.stop.aborted) throw new Failure('interrupted', 'Interrupted.');
      done.push(await work(await session.tasks.get({ workspaceId, taskId })));
    } catch (error) {
      const { exit, message, hints } = failureOf(call.named(error), call.io.env);
      if (named.size === 1) throw error;
      if (exit === 'interrupted' || exit === 'failed') {
        const hint = `Done: ${done.length} of ${named.size}. Left: ${[...left].join(' ')}`;
        throw new Failure(exit, message, [hint], { cause: error });
      }
      call.out.note(safe`${oneLine(ref)}: ${oneLine([message, ...hints].join('; '))}`);
      refused.push(exit);
    }
    left.delete(ref);
  }
  if (refused.length > 0) {
    const alike = refused.every((exit) => exit === refused[0]);
    throw new PartlyRefused(done, alike ? refused[0]! : 'failed', refused.length, named.size);
  }
  return done;
}

/** Some of several tasks were refused; the others are done. */
class PartlyRefused<T> extends Failure {
  readonly done: readonly T[];

  constructor(done: readonly T[], exit: Exit, refused: number, of: number) {
    super(exit, `${refused} of ${of} tasks were refused.`);
    this.done = done;
  }
}

/** Changes each task and prints the changes, also where others are refused: one record, or a list. */
export async function changeTasks(
  call: CommandCall,
  workspace: WorkspaceLookup,
  refs: readonly string[],
  change: (task: TaskView) => Promise<TaskView>,
  print: typeof printChanges = printChanges,
): Promise<void> {
  try {
    const work = async (before: TaskView): Promise<TaskChange> => ({ before, after: await change(before) });
    const done = await eachTask(call, workspace, await tasksNamed(workspace, refs), work);
    await print(call, workspace, done, refs.length > 1);
  } catch (error) {
    if (error instanceof PartlyRefused) await print(call, workspace, error.done as readonly TaskChange[], true);
    throw error;
  }
}

export async function printChanges(
  { out }: CommandCall,
  workspace: WorkspaceLookup,
  changes: readonly TaskChange[],
  areSeveral: boolean,
): Promise<void> {
  const tasks = changes.map(({ after }) => after);
  if (out.isForPeople) {
    const names = await namesIn(
      workspace,
      changes.flatMap(({ before, after }) => [before, after]),
    );
    const texts = changes.map(({ before, after }) => changesText(before, after, names, out.style));
    return out.show(tasks, () => joined(texts, '\n'));
  }
  const columns = taskColumns(await namesIn(workspace, []));
  if (areSeveral) await out.list(tasks, columns);
  else for (const task of tasks) out.record(task, columns);
}
