import type {
  BoardView,
  MemberView,
  PageView,
  Session,
  TaskFilters,
  TaskView,
  WorkspaceView,
} from '../../../core/index.ts';
import { LINK_ENDS, oppositeOf } from '../../../core/model/content/task-links.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';

/** What one member sees of a workspace, by id. */
export interface Sight {
  workspace: WorkspaceView;
  readonly members: Map<string, MemberView>;
  readonly pages: Map<string, PageView>;
  readonly boards: Map<string, BoardView>;
  readonly tasks: Map<string, TaskView>;
}

/** What a member sees now. */
export async function seen(session: Session, workspaceId: string): Promise<unknown> {
  return comparable(await everything(session, workspaceId));
}

/** The ids of all that a member sees now, of former members too. */
export async function idsSeen(session: Session, workspaceId: string): Promise<Set<string>> {
  const { members, pages, boards, tasks } = await everything(session, workspaceId);
  const ids = [members, pages, boards, tasks].flatMap((records) => [...records.keys()]);
  const comments = [...tasks.values()].flatMap((task) => task.comments.map(({ id }) => id));
  const former = await session.members.list({ workspaceId, former: true });
  return new Set([workspaceId, ...ids, ...comments, ...former.map(({ id }) => id)]);
}

/** What is gone when it is read is left out. */
export async function everything(session: Session, workspaceId: string): Promise<Sight> {
  const at = { workspaceId };
  // The pages first: what is read of them later goes with them.
  const pages = byId(await session.pages.list(at));
  const boards = await Promise.all(
    (await session.boards.list(at)).map(({ id }) => orNull(session.boards.get({ ...at, boardId: id }))),
  );
  // Events tell of templates too, which a list leaves out.
  const ids = [...(await taskIds(session, workspaceId)), ...(await taskIds(session, workspaceId, { template: true }))];
  const tasks = await Promise.all(ids.map((taskId) => orNull(session.tasks.get({ ...at, taskId }))));
  return {
    workspace: await session.workspaces.get(at),
    members: byId(await session.members.list(at)),
    pages,
    boards: byId(boards.filter((board) => board !== null)),
    tasks: byId(tasks.filter((task) => task !== null)),
  };
}

export async function taskIds(session: Session, workspaceId: string, filter: TaskFilters = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const more = cursor === undefined ? {} : { cursor };
    const { items, next } = await session.tasks.list({ workspaceId, limit: 500, ...filter, ...more });
    ids.push(...items.map(({ id }) => id));
    if (next === null) return ids;
    cursor = next;
  }
}

function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record.id, record]));
}

/** The page, and those below it as their parents are shown. */
export function withBelow<T extends { readonly id: string }>(page: T, pages: readonly (PageView & T)[]): T[] {
  const found = [page];
  for (const above of found) found.push(...pages.filter(({ parentId }) => parentId === above.id));
  return found;
}

export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof EspalierError && error.code === 'not-found') return null;
    throw error;
  }
}

export function comparable({ workspace, members, pages, boards, tasks }: Sight): unknown {
  return {
    workspace,
    members: sorted(members, ({ lastActivity: _, ...member }) => member),
    pages: sorted(pages, ({ orderIndex: _, ...page }) => page),
    boards: sorted(boards, (board) => ({
      ...board,
      statuses: board.statuses.map(({ taskCount: _, ...status }) => status),
    })),
    // Seen without its board, a task counts versions and changes of its own.
    tasks: sorted(tasks, (all) => {
      const { version, updatedAt, ...task } = withLinksOf(all, tasks);
      return task.boardHidden ? task : { ...task, version, updatedAt };
    }),
  };
}

/**
 * How many links of each kind a task has is its own; which of them name a task, either end tells, if both are held. What
 * is counted over linked tasks follows.
 */
function withLinksOf(
  { links, parentTaskId: _, childCount: __, childDone: ___, blocked: ____, ...task }: TaskView,
  held: ReadonlyMap<string, TaskView>,
) {
  const told = LINK_ENDS.map((end) => {
    const own = links.filter(({ type }) => type === end);
    const named = new Set(own.flatMap(({ taskId }) => (taskId !== undefined && held.has(taskId) ? [taskId] : [])));
    const isOther = (other: TaskView) =>
      other.links.some(({ type, taskId }) => type === oppositeOf(end) && taskId === task.id);
    for (const other of held.values()) if (isOther(other)) named.add(other.id);
    return [end, own.length, [...named].toSorted()] as const;
  });
  return { ...task, links: told };
}

function sorted<T extends { readonly id: string }>(records: ReadonlyMap<string, T>, of: (record: T) => unknown) {
  return [...records.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(of);
}
