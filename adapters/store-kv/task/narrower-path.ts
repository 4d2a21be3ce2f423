import type { TaskScope } from '../../../core/model/content/task-query.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { type AccessPath, isSmall, pathOfScope, SMALL } from './access-path.ts';
import type { TaskReader } from './reader.ts';
import { countsOfBoard } from './status-counts.ts';

/** The access paths that may lead to tasks on any board. */
const OF_ALL_BOARDS: ReadonlySet<AccessPath['by']> = new Set([
  'assignees',
  'tags',
  'metadata',
  'links',
  'updatedAt',
  'workspace',
]);

/**
 * The path of the boards in scope, if another one has more than twice as many entries as there are tasks on them: most
 * of its tasks are hidden then. Null if it has not. O(tasks on the boards in scope), counted by their counters.
 */
export async function narrowerPath(
  reader: TaskReader,
  path: AccessPath,
  scope: TaskScope | null,
  yielder: Yielder,
): Promise<AccessPath | null> {
  if (scope === null || !OF_ALL_BOARDS.has(path.by)) return null;
  if (path.by !== 'workspace' && reader.sizeUpTo(SMALL, path.ranges) < SMALL) return null;
  // To a viewer of all boards most tasks are visible. Boards are counted without being read, as they are large.
  if (!reader.kv.hasMore(reader.boards(), scope.boards.size)) return null;
  const half = reader.lastNum() / 2;
  const tasks = half < SMALL ? half : await tasksIn(reader, scope, half, yielder);
  if (tasks >= half || (await isSmall(reader, path, 2 * tasks, yielder))) return null;
  return pathOfScope(reader, scope);
}

/**
 * The number of tasks on the boards in scope plus the number of the boards, as each board costs a search; counted up to
 * `most`.
 */
async function tasksIn(
  reader: TaskReader,
  { boards, withoutBoard }: TaskScope,
  most: number,
  yielder: Yielder,
): Promise<number> {
  let tasks = boards.size + withoutBoard.size;
  for (const boardId of boards) {
    if (tasks >= most) break;
    for (const count of (await countsOfBoard(reader, boardId, yielder)).values()) tasks += count;
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
  return tasks;
}
