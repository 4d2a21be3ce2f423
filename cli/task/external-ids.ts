import { MAX_QUERY } from '../../adapters/schemas/operation.ts';
import { externalIdTaken } from '../../core/kernel/errors.ts';
import { MAX_FILTER_VALUES } from '../../core/task/list/filters.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/** The most characters of external ids in a query. The rest is for its other fields. */
const MAX_LENGTH = MAX_QUERY / 2;

/** A task and its external id. The id is null for a new task. */
type ExternalTask = Pick<TaskSummary, 'externalId'> & { readonly id: string | null };

/** The task that a dry run would create. */
export const NEW_TASK: ExternalTask = { id: null, externalId: null };

/**
 * The external ids of tasks as a dry run goes on. Those of hidden tasks and of the trash are unknown: they are left to
 * the write.
 */
export class ExternalIds {
  readonly #workspace: WorkspaceLookup;
  /** The task that has it, by external id; undefined: none has it. */
  readonly #holders = new Map<string, { readonly id: string | null } | undefined>();

  constructor(workspace: WorkspaceLookup) {
    this.#workspace = workspace;
  }

  /** Reads who has these external ids, which must be valid. */
  async learn(externalIds: readonly string[]): Promise<void> {
    const { session, workspaceId } = this.#workspace;
    const unknown = [...new Set(externalIds)].filter((one) => !this.#holders.has(one));
    for (const some of queriesOf(unknown)) {
      const { items } = await session.tasks.list({ workspaceId, externalId: some, limit: some.length });
      for (const one of some) this.#holders.set(one, undefined);
      for (const task of items) this.#holders.set(task.externalId!, task);
    }
  }

  /**
   * Gives a task this external id in place of its own.
   *
   * @param externalId undefined leaves its own, null removes it
   * @throws `external-id-taken`
   */
  async give(task: ExternalTask, externalId: string | null | undefined): Promise<void> {
    if (externalId === undefined || externalId === task.externalId) return;
    if (externalId !== null) {
      await this.learn([externalId]);
      const holder = this.#holders.get(externalId);
      if (holder !== undefined && (holder.id === null || holder.id !== task.id)) {
        throw externalIdTaken('task', 'workspace');
      }
      this.#holders.set(externalId, { id: task.id });
    }
    if (task.externalId !== null) this.#holders.set(task.externalId, undefined);
  }
}

/** External ids in slices that a list of tasks takes as filters: the query of a service has a greatest length. */
function* queriesOf(externalIds: readonly string[]): IterableIterator<readonly string[]> {
  let slice: string[] = [];
  let length = 0;
  for (const externalId of externalIds) {
    const own = encodeURIComponent(externalId).length + 1;
    if (slice.length === MAX_FILTER_VALUES || length + own > MAX_LENGTH) {
      yield slice;
      [slice, length] = [[], 0];
    }
    slice.push(externalId);
    length += own;
  }
  if (slice.length > 0) yield slice;
}
