import { EspalierError } from '../core/kernel/errors.ts';
import type { CommandCall } from './call.ts';
import { withoutUndefined } from './config/without-undefined.ts';
import { Failure } from './io/failure.ts';
import { progressOf } from './io/progress.ts';
import { option, type OptionValues } from './option.ts';
import { count } from './output/table/count.ts';
import type { WorkspaceLookup } from './refs/workspace-lookup.ts';

export const COPY = [
  option('--name <name>', 'name of the copy (default: same name)'),
  option('--parent <page>', 'parent page (default: top level)'),
  option('--tasks', 'copy tasks, their checklists and pages'),
  option('--comments', 'copy comments on tasks'),
  option('--assignees', 'keep assignees who can see the copy'),
];

export const COPY_DETAILS =
  'Access settings and external ids are not copied: the copy inherits access from the page above it. A long copy runs in the background; the command waits for it, and interrupting it does not stop the copy.';

export async function copyOptions({ options }: CommandCall<OptionValues<typeof COPY>>, workspace: WorkspaceLookup) {
  const { name, parent, tasks, comments, assignees } = options;
  const parentId = parent === undefined ? undefined : await workspace.page(parent);
  return withoutUndefined({ name, parentId, tasks, comments, assignees });
}

/** The polling interval, in milliseconds. */
const POLL_INTERVAL = 500;

/** The copy, as soon as it is in place. @throws `copy-failed`; a failure if it is interrupted */
export async function waitForCopy<T>({ io }: CommandCall, read: () => Promise<T>): Promise<T> {
  const progress = progressOf(io, 'checks for the finished copy');
  try {
    for (;;) {
      if (io.stop.aborted) throw new Failure('interrupted', 'Interrupted. The copy continues in the background.');
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

export function noteRestricted({ out }: CommandCall, { restricted }: { readonly restricted: number }): void {
  if (restricted > 0) out.note(`Access settings of ${count(restricted, 'page')} were not copied.`);
}
