import { createEspalier, type Espalier } from '../../adapters/service/index.ts';
import type { JobFailure } from '../../core/jobs/failure.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import {
  createMetrics,
  startService,
  type MetricSnapshot,
  type OpenLimiter,
  type Service,
} from '../../adapters/http/index.ts';
import { openStoreAt } from '../config/connection.ts';
import { Failure } from '../io/failure.ts';
import type { Setup } from './service-options.ts';

/** The engine on the store of a service. */
export interface Opened {
  readonly espalier: Espalier;
  /** The file of the store where that was made. */
  readonly made: string | null;
  /** Of this process alone. */
  readonly figures: () => Promise<MetricSnapshot>;
  /** @param port in place of the one that is set. @throws a failure when it is taken */
  readonly listen: (port?: number) => Promise<Service>;
}

/** What the processes of one service have in common, beside the store. */
export interface Common {
  /** Used where the store has none. */
  readonly limiter: OpenLimiter;
  /** Of each process. */
  readonly figures: () => Promise<readonly MetricSnapshot[]>;
}

/** @param common absent: this process is all there is */
export async function openedFor(setup: Setup, cwd: string, common?: Common): Promise<Opened> {
  const { host, logger, identity, impersonation, guards } = setup;
  const metrics = createMetrics(common?.figures);
  const { store, made } = await openStoreAt(setup.store, cwd, { fileMode: setup.fileMode });
  const limiter = store.limiter ?? common?.limiter;
  const espalier = createEspalier({
    store: metrics.watchStore(store),
    impersonation,
    onJobFailure: ({ job, error }) =>
      logger?.error(failureLine(job, error), 'background work failed, and is tried again'),
    ...(identity && { identity }),
  });
  const ready = () => espalier.store.ready();
  return {
    espalier,
    made,
    figures: () => metrics.figures(),
    listen: (port = setup.port) =>
      startService({
        engine: espalier.engine,
        identity: espalier.identity,
        ready,
        host,
        port,
        logger,
        metrics,
        ...guards,
        ...(limiter && { limiter }),
      }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new Failure('failed', `Port ${port} of ${host} is taken (EADDRINUSE).`, [
          'Choose another with --port, 0 for any free one.',
        ]);
      }),
  };
}

function failureLine(job: JobFailure['job'], error: unknown): object {
  const what = job === null ? {} : { job: job.kind, jobId: job.id, workspaceId: job.workspaceId };
  return { ...what, ...(error instanceof EspalierError && { code: error.code }), err: error };
}
