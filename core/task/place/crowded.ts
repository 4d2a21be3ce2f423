import { enqueueJob } from '../../jobs/enqueue-job.ts';
import { conflict, type EspalierError } from '../../kernel/errors.ts';
import type { CallEffects, Context, CrowdedPlace } from '../../ports/context.ts';
import type { Transaction } from '../../ports/store.ts';

/** The context of a call, or of a step of a job, that places tasks. */
export interface PlacingContext extends Pick<Context, 'clock' | 'ids' | 'requestId'> {
  readonly effects?: Pick<CallEffects, 'crowded' | 'jobs' | 'userId'>;
}

/** The error of a write that finds no room in a column. The engine then stores a job that makes room. */
export function columnCrowded(context: PlacingContext, place: CrowdedPlace): EspalierError {
  if (context.effects !== undefined) context.effects.crowded = place;
  return conflict('column-crowded', 'There is no room at this place of the status. It is being made: try again soon.');
}

const MAX_JOBS = 1_000;

/** Stores a job that makes room at a place, unless the status has one already. */
export async function enqueueRespread(tx: Transaction, context: PlacingContext, crowded: CrowdedPlace): Promise<void> {
  const { workspaceId, statusId, place } = crowded;
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: MAX_JOBS });
  if (jobs.some((job) => job.kind === 'respread' && job.statusId === statusId)) return;
  await enqueueJob(tx, context, {
    kind: 'respread',
    id: context.ids.next(),
    workspaceId,
    notBefore: null,
    origin: { userId: context.effects?.userId ?? null, requestId: context.requestId ?? null },
    statusId,
    place,
    side: 'above',
    isLast: false,
    count: 0,
    edge: null,
    gap: null,
  });
}
