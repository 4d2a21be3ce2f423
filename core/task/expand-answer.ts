import { viewerOf } from '../access/viewer.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { FullTaskExpansion } from '../names/task-names.ts';
import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import { afterWrite, tasksWithNames, withComments } from './read.ts';
import type { TaskView } from './view.ts';

/** A further input of writes of tasks. */
export interface ExpandTask {
  /** Which ids of the answer to resolve to names, in `expanded`; `author` in each comment. */
  readonly expand?: readonly FullTaskExpansion[];
}

type TaskAnswer = TaskView | readonly TaskView[];

/**
 * Lets the answer of a write of tasks have names beside ids, and very many comments. They are read after the write, so that
 * others do not wait for that and a stored answer holds none; a repeated call gets those that its caller may see by then.
 * If they cannot be read, they are absent.
 */
export function expandAnswer<I extends { readonly workspaceId: string }, A extends TaskAnswer>(
  run: (context: Context, input: I) => Promise<A>,
): (context: Context, input: I & ExpandTask) => Promise<A> {
  return async (context, given) => {
    if (given.expand === undefined) return withComments(context, await run(context, given));
    const { expand, ...input } = given;
    const answer = await withComments(context, await run(context, input as unknown as I));
    if (expand.length === 0) return answer;
    const isOne = !Array.isArray(answer);
    const tasks = isOne ? [answer as TaskView] : (answer as readonly TaskView[]);
    const named = await withNames(context, input.workspaceId, tasks, expand);
    return (isOne ? named[0] : named) as A;
  };
}

async function withNames(
  context: Context,
  workspaceId: string,
  tasks: readonly TaskView[],
  expand: readonly FullTaskExpansion[],
): Promise<readonly TaskView[]> {
  try {
    return await read(context, async (tx) =>
      tasksWithNames(tx, await viewerOf(tx, afterWrite(context), workspaceId), tasks, expand),
    );
  } catch (error) {
    // The write has taken effect.
    if (error instanceof EspalierError) return tasks;
    throw error;
  }
}
