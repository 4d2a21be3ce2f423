import { viewerOf } from '../access/viewer.ts';
import { conflict, EspalierError } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';

/**
 * Reports a failed copy to the member who made it, when they read the copy.
 *
 * @throws `copy-failed`, or the given error
 */
export async function throwIfCopyFailed(
  tx: ReadTransaction,
  context: Context,
  workspaceId: string,
  id: string,
  error: unknown,
): Promise<never> {
  if (!(error instanceof EspalierError) || error.code !== 'not-found') throw error;
  // Only members learn anything about a workspace.
  await viewerOf(tx, context, workspaceId);
  const job = await tx.jobs.get(workspaceId, id);
  const userId = context.effects?.userId ?? null;
  if (job?.kind === 'copy-failed' && userId !== null && job.userId === userId) {
    const why = job.detail ?? 'its source or target is no longer accessible, or a quota was reached.';
    throw conflict('copy-failed', `The copy failed: ${why}`);
  }
  throw error;
}
