import { enqueueJob } from '../../jobs/enqueue-job.ts';
import { EspalierError } from '../../kernel/errors.ts';
import type { Respread } from '../../model/job.ts';
import type { CallEffects, Context } from '../../ports/context.ts';
import type { Transaction } from '../../ports/store.ts';

/** The context of a call, or of a step of a job, that places tasks. */
export interface PlacingContext extends Pick<Context, 'clock' | 'ids' | 'requestId'> {
  readonly effects?: Pick<CallEffects, 'jobs' | 'userId'>;
}

/** A place in a column: at this key, or right above it. */
export interface ColumnPlace {
  readonly workspaceId: string;
  readonly statusId: string;
  readonly key: number;
}

/** There is no room at a place in a column. The engine then stores a job that makes room. */
export class ColumnCrowded extends EspalierError {
  readonly place: ColumnPlace;

  constructor(place: ColumnPlace) {
    super(
      'column-crowded',
      'There is no room at this place of the status. The tasks are being moved apart: try again soon.',
    );
    this.place = place;
  }
}

/** Stores a job that makes room at a place, unless the status has one already. @returns the job of the status */
export async function enqueueRespread(tx: Transaction, context: PlacingContext, place: ColumnPlace): Promise<Respread> {
  const { workspaceId, statusId, key } = place;
  const known = await tx.jobs.get(workspaceId, statusId);
  if (known?.kind === 'respread') return known;
  const job: Respread = {
    kind: 'respread',
    id: statusId,
    workspaceId,
    notBefore: null,
    origin: { userId: context.effects?.userId ?? null, requestId: context.requestId ?? null },
    statusId,
    place: key,
    side: 'above',
    isLast: false,
    count: 0,
    edge: null,
    gap: null,
  };
  await enqueueJob(tx, context, job);
  return job;
}
