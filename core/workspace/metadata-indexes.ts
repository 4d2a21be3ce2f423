import { enqueueJob } from '../jobs/enqueue-job.ts';
import { RECORDS_PER_STEP } from '../jobs/step.ts';
import type { MetadataIndexing } from '../model/job.ts';
import type { MetadataIndex, Workspace } from '../model/workspace/workspace.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** The indexes of a workspace for other keys: those that stay keep theirs. */
export function indexesFor(
  context: Pick<Context, 'ids'>,
  before: readonly MetadataIndex[],
  keys: readonly string[],
): readonly MetadataIndex[] {
  return [...new Set(keys)].map((key) => {
    return before.find((index) => index.key === key) ?? { key, id: context.ids.next(), built: false };
  });
}

/** Stores a job that clears the indexes that are gone, and builds those that are new. */
export async function enqueueReindexing(
  tx: Transaction,
  context: Context,
  { id: workspaceId, metadataIndexes: after = [] }: Workspace,
  before: readonly MetadataIndex[],
): Promise<void> {
  const clears = before.filter(({ id }) => !after.some((index) => index.id === id)).map(({ id }) => id);
  const builds = after
    .filter(({ built, id }) => !built && !before.some((index) => index.id === id))
    .map(({ id }) => id);
  if (clears.length + builds.length === 0) return;
  const job = { kind: 'metadata-indexing', id: context.ids.next(), workspaceId, notBefore: null } as const;
  await enqueueJob(tx, context, { ...job, clears, builds, after: 0 });
}

/**
 * Clears a batch of entries, then indexes a batch of tasks by number, and at last marks the indexes as built. Every write
 * of a task maintains them since the commit that stored the job, so later tasks are in them already.
 */
export async function metadataIndexingStep(tx: Transaction, job: MetadataIndexing): Promise<MetadataIndexing | null> {
  const { workspaceId, clears, builds, after } = job;
  const [first] = clears;
  if (first !== undefined) {
    if ((await tx.tasks.clearMetadataIndex(workspaceId, first, RECORDS_PER_STEP)).more) return job;
    return clears.length + builds.length === 1 ? null : { ...job, clears: clears.slice(1) };
  }
  const structure = await tx.structures.get(workspaceId);
  if (structure === null || builds.length === 0) return null;
  const end = after + RECORDS_PER_STEP;
  await tx.tasks.indexMetadata(workspaceId, after, end);
  if (end <= (await tx.tasks.lastNum(workspaceId))) return { ...job, after: end };
  const { workspace } = structure;
  const metadataIndexes = (workspace.metadataIndexes ?? []).map((index) => {
    return builds.includes(index.id) ? { ...index, built: true } : index;
  });
  await tx.structures.change(structure, { workspace: { ...workspace, metadataIndexes } });
  return null;
}
