import { identify } from '../../access/identify.ts';
import { levelOnTask, sees, viewerIn, type Viewer } from '../../access/viewer.ts';
import { EspalierError } from '../../kernel/errors.ts';
import { VIEW } from '../../model/access/level.ts';
import type { Context, NamedInAnswer } from '../../ports/context.ts';
import type { ReadTransaction } from '../../ports/store.ts';

/**
 * The context of a write whose answer names records: a repeated call is answered only if its caller still sees them.
 */
export function withNamedRecords(context: Context, named: (answer: never) => NamedInAnswer): Context {
  return context.idempotencyKey === undefined ? context : { ...context, named };
}

/** Whether the caller sees the workspace and every named record. Deleted records are seen by nobody. O(records), in steps. */
export async function seesAllNamed(tx: ReadTransaction, context: Context, named: NamedInAnswer): Promise<boolean> {
  const viewer = await viewerOrNull(tx, context, named.workspaceId);
  if (viewer === null) return false;
  for (const id of new Set(named.records)) {
    if (id !== null && !(await seesRecord(tx, viewer, id))) return false;
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
  return true;
}

async function viewerOrNull(tx: ReadTransaction, context: Context, workspaceId: string): Promise<Viewer | null> {
  const [who, structure] = [await identify(tx, context), await tx.structures.get(workspaceId)];
  try {
    return viewerIn(structure, who, context.yielder?.());
  } catch (error) {
    if (error instanceof EspalierError && error.code === 'not-found') return null;
    throw error;
  }
}

async function seesRecord(tx: ReadTransaction, viewer: Viewer, id: string): Promise<boolean> {
  if (viewer.structure.page(id) !== undefined) return sees(viewer, id);
  const task = await tx.tasks.get(viewer.structure.workspace.id, id);
  return task !== null && levelOnTask(viewer, task) >= VIEW;
}
