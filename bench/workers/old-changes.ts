import type { NewChange } from '../../core/model/log/change.ts';
import type { Store } from '../../core/ports/store.ts';
import { namesOf, type Shape } from '../world/shape.ts';

/** Changes that one transaction adds. */
const TOGETHER = 1_000;

/** Before any that is kept. */
const AT = '2026-01-01T00:00:00.000Z';

/** Adds updates of the tasks of a world that are too old to be kept. Half of them are entries of histories. */
export async function logOldChanges(store: Store, shape: Shape, changes: number): Promise<void> {
  const { workspaceId, board, task, user } = namesOf(shape);
  const changeOf = (n: number): NewChange => ({
    kind: 'task',
    action: 'update',
    recordId: task(n % shape.tasks),
    version: 2,
    pageId: board(0),
    fromPageId: null,
    boardId: board(0),
    fromBoardId: null,
    taskId: null,
    fields: ['title'],
    userId: user(0),
    requestId: null,
    at: AT,
    revision: null,
    fromRevision: null,
    entry: n % 2 === 0 ? null : { verb: 'update', changes: '[]' },
  });
  for (let from = 0; from < changes; from += TOGETHER) {
    const count = Math.min(TOGETHER, changes - from);
    await store.write((tx) =>
      tx.changeLog.append(
        workspaceId,
        Array.from({ length: count }, (_, n) => changeOf(from + n)),
      ),
    );
  }
  await store.write(async (tx) => {
    const noted = await tx.logAges.get(workspaceId);
    if (noted !== null) await tx.logAges.remove(noted);
    await tx.logAges.insert({ id: workspaceId, oldestAt: AT });
  });
}
