import {
  composeService,
  type ComposedService,
  type SharedByProcesses,
} from '../../adapters/service/compose-service.ts';
import type { JobFailure } from '../../core/jobs/failure.ts';
import { EspalierError, type ErrorCode } from '../../core/kernel/errors.ts';
import { locateStore } from '../config/connection.ts';
import { Failure } from '../io/failure.ts';
import type { Setup } from './service-options.ts';

export interface Composed extends ComposedService {
  /** The path of the store file, if it was created. */
  readonly made: string | null;
}

/**
 * How long a service that ends leaves idle connections open, in milliseconds: longer than a request is on its way from
 * a proxy that has not yet heard of the end.
 */
const IDLE_GRACE = 250;

/** The system calls of listening, which fail for an address that does not exist. */
const LISTENING: ReadonlySet<string> = new Set(['getaddrinfo', 'bind', 'listen']);

/** Errors that are not faults of the program, so that their stack is of no use. */
const STORE_ERRORS: ReadonlySet<ErrorCode> = new Set(['store-unavailable', 'store-busy']);

/** @param shared absent: the service is this process alone. @throws a failure if it cannot listen there */
export async function composeFor(setup: Setup, cwd: string, shared?: SharedByProcesses): Promise<Composed> {
  const { host, port, basePath, logger, signIn, impersonation, board, guards, keepChanges, fileMode, queryTimeout } =
    setup;
  const { url, makes } = locateStore(setup.store, cwd);
  const composed = await composeService(
    {
      store: url,
      storeOptions: { fileMode, ...(queryTimeout !== undefined && { queryTimeout }) },
      impersonation,
      ...(keepChanges !== undefined && { keepChanges }),
      onJobFailure: ({ job, error }) =>
        logger.error(
          failureLine(job, error, logger.isLevelEnabled('debug')),
          'background job failed and will be retried',
        ),
      host,
      port,
      http: { basePath, logger, board, idleGrace: IDLE_GRACE, ...guards },
      ...(signIn && { identity: signIn.identity }),
    },
    shared,
  );
  return {
    ...composed,
    made: makes,
    listen: (at = port) =>
      composed.listen(at).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') {
          throw new Failure('failed', `Port ${at} of ${host} is in use (EADDRINUSE).`, [
            'Choose another with --port; 0 picks a free one.',
          ]);
        }
        if (!LISTENING.has(error.syscall ?? '')) throw error;
        throw new Failure('failed', `Cannot listen on port ${at} of ${host}: ${error.message}`, [
          'Choose another with --host and --port.',
        ]);
      }),
  };
}

/** @param isDetailed whether a store that cannot be used is logged with its stack */
function failureLine(job: JobFailure['job'], error: unknown, isDetailed: boolean): object {
  const what = job === null ? {} : { job: job.kind, jobId: job.id, workspaceId: job.workspaceId };
  if (!(error instanceof EspalierError)) return { ...what, err: error };
  const { code, detail, cause } = error;
  if (isDetailed || !STORE_ERRORS.has(code)) return { ...what, code, err: error };
  return { ...what, code, reason: cause instanceof Error ? `${detail} ${cause.message}` : detail };
}
