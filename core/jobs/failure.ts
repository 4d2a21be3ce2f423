import type { Job } from '../model/job.ts';
import { EspalierError } from '../kernel/errors.ts';

/** A step of a stored job that failed. It is retried later. */
export interface JobFailure {
  /** The job. Null: the jobs could not be read from the store. */
  readonly job: Pick<Job, 'kind' | 'id' | 'workspaceId'> | null;
  /** What the step threw. */
  readonly error: unknown;
}

/** The most jobs whose failures are remembered; beyond that all are forgotten. */
const REMEMBERED = 1_000;
/** The most causes that are remembered of a job, as messages may have numbers in them. */
const CAUSES = 16;
/** In characters. */
const LONGEST_CAUSE = 200;

/** Reports failures, once per job and cause. */
export class FailureReport {
  readonly #onFailure: ((failure: JobFailure) => unknown) | undefined;
  readonly #reported = new Map<string, Set<string>>();

  constructor(onFailure: ((failure: JobFailure) => unknown) | undefined) {
    this.#onFailure = onFailure;
  }

  add(failure: JobFailure): void {
    const id = failure.job?.id ?? '';
    const cause = causeOf(failure.error);
    const causes = this.#reported.get(id) ?? new Set();
    if (causes.has(cause)) return;
    if (causes.size >= CAUSES) causes.clear();
    if (this.#reported.size >= REMEMBERED) this.#reported.clear();
    this.#reported.set(id, causes.add(cause));
    this.#tell(failure).catch(() => undefined);
  }

  /** Async, so that what the host throws or rejects with ends neither the job nor the process. */
  async #tell(failure: JobFailure): Promise<void> {
    await this.#onFailure?.(failure);
  }

  /** The jobs were read again: the next failure to read them is reported anew. */
  answered(): void {
    this.#reported.delete('');
  }
}

function causeOf(error: unknown): string {
  if (error instanceof EspalierError) return error.code;
  return (error instanceof Error ? `${error.name} ${error.message}` : String(error)).slice(0, LONGEST_CAUSE);
}
