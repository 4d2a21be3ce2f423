import { EspalierError } from '../core/kernel/errors.ts';
import type { Call } from './call.ts';
import { withoutUndefined } from './config/without-undefined.ts';
import { Failure } from './io/failure.ts';
import { progressOf } from './io/progress.ts';
import { option, type Given } from './option.ts';
import { count } from './output/table/count.ts';
import type { WorkspaceLookup } from './refs/workspace-lookup.ts';

export const COPY = [
  option('--name <name>', 'the name of the copy; default: that of the source'),
  option('--parent <page>', 'the page it goes under; default: the top'),
  option('--tasks', 'with the tasks, their checklists and pages'),
  option('--comments', 'with the comments on the tasks'),
  option('--assignees', 'tasks stay assigned to members who may see the copy'),
];

export const COPY_DETAILS =
  'Access settings and external ids are not taken along: the page above the copy governs it. A long copy is made in the background; the command waits for it, and may be interrupted without ending it.';

export async function copyOptions({ options }: Call<Given<typeof COPY>>, workspace: WorkspaceLookup) {
  const { name, parent, tasks, comments, assignees } = options;
  const parentId = parent === undefined ? undefined : await workspace.page(parent);
  return withoutUndefined({ name, parentId, tasks, comments, assignees });
}

/** The polling interval, in milliseconds. */
const POLL_INTERVAL = 500;

/** The copy, as soon as it is in place. @throws `copy-failed`; a failure if it is interrupted */
export async function waitForCopy<T>({ io }: Call, read: () => Promise<T>): Promise<T> {
  const progress = progressOf(io, 'checks for the copy, which is being made');
  try {
    for (;;) {
      if (io.stop.aborted) throw new Failure('interrupted', 'Interrupted. The copy is made all the same.');
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof EspalierError) || error.code !== 'not-found') throw error;
      }
      progress.step();
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    }
  } finally {
    progress.end();
  }
}

export function noteRestricted({ out }: Call, { restricted }: { readonly restricted: number }): void {
  if (restricted > 0) out.note(`Access settings of ${count(restricted, 'page')} were not copied.`);
}
