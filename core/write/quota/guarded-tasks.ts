import { jobsOf } from '../../jobs/jobs-of.ts';
import type { Task } from '../../model/content/task.ts';
import { quotaExceeded, type QuotaName, type Quotas, requireWithin } from '../../model/service/quotas.ts';
import type { Transaction } from '../../ports/store.ts';
import { trashTotals } from '../../trash/totals.ts';
import type { QuotasInForce } from './quota-room.ts';
import { TaskWrapper } from '../task-wrapper.ts';

/** Quotas on the content of a task record. The task is written whenever a comment is added, as it counts them. */
const OF_A_TASK = ['comments', 'assignees', 'taskTags'] as const satisfies readonly QuotaName[];

type Content = Readonly<Record<(typeof OF_A_TASK)[number], number>>;

const NO_CONTENT: Content = { comments: 0, assignees: 0, taskTags: 0 };

function contentOf(task: Task | null): Content {
  if (task === null) return NO_CONTENT;
  return { comments: task.commentCount, assignees: task.assignees.length, taskTags: task.tags.length };
}

/** Tasks whose writes are refused where they exceed a quota. */
export class GuardedTasks extends TaskWrapper {
  readonly #tx: Transaction;
  readonly #inForce: QuotasInForce;
  readonly #taken: ReadonlySet<string>;

  /** @param taken the ids of what the transaction has taken out of the trash */
  constructor(tx: Transaction, inForce: QuotasInForce, taken: ReadonlySet<string>) {
    super(tx.tasks);
    this.#tx = tx;
    this.#inForce = inForce;
    this.#taken = taken;
  }

  override async insert(task: Task): Promise<void> {
    if (this.#taken.has(task.id)) return this.inner.insert(task);
    const quotas = await this.#inForce();
    requireGrowthWithin(quotas, null, task);
    if (quotas.tasks !== undefined) await requireRoomForTask(this.#tx, task.workspaceId, quotas.tasks);
    await this.inner.insert(task);
  }

  override async replace(task: Task): Promise<void> {
    // It was usually read before, so checking whether it grows is cheaper than reading the quotas.
    const stored = await this.inner.get(task.workspaceId, task.id);
    if (hasGrown(stored, task)) requireGrowthWithin(await this.#inForce(), stored, task);
    await this.inner.replace(task);
  }

  override async replaceTogether(all: readonly Task[]): Promise<void> {
    const quotas = await this.#inForce();
    for (const task of all) {
      const content = contentOf(task);
      if (OF_A_TASK.every((name) => content[name] <= (quotas[name] ?? Infinity))) continue;
      requireGrowthWithin(quotas, await this.inner.get(task.workspaceId, task.id), task);
    }
    await this.inner.replaceTogether(all);
  }
}

/** Refuses what grows beyond a quota. What exceeded it before may stay. */
function requireGrowthWithin(quotas: Quotas, stored: Task | null, task: Task): void {
  const [before, after] = [contentOf(stored), contentOf(task)];
  for (const name of OF_A_TASK) requireWithin(quotas, name, before[name], after[name], task.id);
}

function hasGrown(stored: Task | null, task: Task): boolean {
  const [before, after] = [contentOf(stored), contentOf(task)];
  return OF_A_TASK.some((name) => after[name] > before[name]);
}

/** Unreachable tasks that wait to be purged do not count. */
async function requireRoomForTask(tx: Transaction, workspaceId: string, limit: number): Promise<void> {
  const { tasks: trashed } = await trashTotals(tx, workspaceId);
  const stored = (await tx.tasks.ensureTaskCount(workspaceId)) + trashed;
  if (stored < limit) return;
  const jobs = await jobsOf(tx, workspaceId);
  const boards = jobs.flatMap((job) => (job.kind === 'purge' && job.notBefore === null ? job.boards : []));
  const filters = [{ field: 'boardId', in: boards }] as const;
  const waiting = boards.length === 0 ? 0 : await tx.tasks.count({ workspaceId, scope: null, filters });
  if (stored - waiting >= limit) throw quotaExceeded('tasks', limit);
}
