import type { BoardRepository, StructureRepository, TaskRepository, Transaction } from '../ports/store.ts';
import { nestsTooDeep } from '../tree/depth.ts';
import { quotaExceeded, requireWithin, type Quotas } from '../model/quotas.ts';
import { growthOf, remember, sum, totalsOf } from '../tree/totals.ts';

/**
 * The transaction, refusing to write what is above a quota. It stands behind every use case that writes, so
 * that there is no way around it, and nowhere where there are no quotas.
 *
 * @throws `quota-exceeded` from what writes
 */
export function withQuotas(tx: Transaction, quotas: Quotas | undefined): Transaction {
  if (quotas === undefined) return tx;
  return {
    users: tx.users,
    tokens: tx.tokens,
    identities: tx.identities,
    workspaces: tx.workspaces,
    structures: structuresWithin(tx.structures, quotas),
    invitations: tx.invitations,
    boards: boardsWithin(tx.boards, quotas),
    tasks: tasksWithin(tx, quotas),
    comments: tx.comments,
    activity: tx.activity,
    jobs: tx.jobs,
    changes: tx.changes,
    audit: tx.audit,
    replays: tx.replays,
  };
}

function structuresWithin(structures: StructureRepository, quotas: Quotas): StructureRepository {
  return override(structures, {
    async change(structure, change) {
      if (quotas.depth !== undefined && nestsTooDeep(structure, change.pages ?? [], quotas.depth)) {
        throw quotaExceeded('depth', quotas.depth);
      }
      const growth = growthOf(structure, change);
      if (growth.members <= 0 && growth.pages <= 0) return structures.change(structure, change);
      const before = totalsOf(structure);
      const after = sum(before, growth);
      for (const name of ['members', 'pages', 'boards'] as const) {
        requireWithin(quotas, name, before[name], after[name]);
      }
      const next = await structures.change(structure, change);
      remember(next, after);
      return next;
    },
  });
}

function boardsWithin(boards: BoardRepository, quotas: Quotas): BoardRepository {
  const { statuses = Infinity, tags = Infinity } = quotas;
  return override(boards, {
    async insert(board) {
      requireWithin(quotas, 'statuses', 0, board.statuses.length);
      requireWithin(quotas, 'tags', 0, board.tags.length);
      await boards.insert(board);
    },
    async replace(board) {
      if (board.statuses.length > statuses || board.tags.length > tags) {
        const before = await boards.get(board.workspaceId, board.id);
        requireWithin(quotas, 'statuses', before?.statuses.length ?? 0, board.statuses.length);
        requireWithin(quotas, 'tags', before?.tags.length ?? 0, board.tags.length);
      }
      await boards.replace(board);
    },
  });
}

/** Comments are counted by their task, which is written whenever one is added. */
function tasksWithin(tx: Transaction, quotas: Quotas): TaskRepository {
  const { tasks } = tx;
  const { comments = Infinity } = quotas;
  return override(tasks, {
    async insert(task) {
      requireWithin(quotas, 'comments', 0, task.commentCount);
      if (quotas.tasks !== undefined) await requireRoomForTask(tx, task.workspaceId, quotas.tasks);
      await tasks.insert(task);
    },
    async replace(task) {
      if (task.commentCount > comments) {
        const before = await tasks.get(task.workspaceId, task.id);
        requireWithin(quotas, 'comments', before?.commentCount ?? 0, task.commentCount);
      }
      await tasks.replace(task);
    },
  });
}

const JOBS = 1000;

/** Tasks that are out of reach, and only wait to be removed, take no room. */
async function requireRoomForTask(tx: Transaction, workspaceId: string, most: number): Promise<void> {
  const kept = await tx.tasks.tally(workspaceId);
  if (kept < most) return;
  const jobs = await tx.jobs.ofWorkspace(workspaceId, null, JOBS);
  const boards = jobs.flatMap((job) => (job.kind === 'purge' && job.notBefore === null ? job.boards : []));
  const filters = [{ field: 'boardId', in: boards }] as const;
  const waiting = boards.length === 0 ? 0 : await tx.tasks.count({ workspaceId, scope: null, filters });
  if (kept - waiting >= most) throw quotaExceeded('tasks', most);
}

/** A repository with some of its methods in the place of its own. */
function override<R extends object>(repository: R, methods: Partial<R>): R {
  return new Proxy(repository, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? (method.bind(target) as unknown) : method;
    },
  });
}
