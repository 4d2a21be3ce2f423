import type { Job } from '../model/job.ts';
import { EspalierError } from '../kernel/errors.ts';

/** Stored work that could not be done for now. It is tried again later. */
export interface JobFailure {
  /** What failed to be done. Null: the store could not be asked what there is to do. */
  readonly job: Pick<Job, 'kind' | 'id' | 'workspaceId'> | null;
  readonly error: unknown;
}

/** Jobs whose failures are remembered; beyond it begins anew. */
const REMEMBERED = 1_000;

/** Passes failures on, once for each job and cause. */
export class FailureReport {
  readonly #onFailure: ((failure: JobFailure) => void) | undefined;
  readonly #reported = new Map<string, Set<string>>();

  constructor(onFailure: ((failure: JobFailure) => void) | undefined) {
    this.#onFailure = onFailure;
  }

  add(failure: JobFailure): void {
    const id = failure.job?.id ?? '';
    const cause = causeOf(failure.error);
    const causes = this.#reported.get(id) ?? new Set();
    if (causes.has(cause)) return;
    if (this.#reported.size >= REMEMBERED) this.#reported.clear();
    this.#reported.set(id, causes.add(cause));
    this.#onFailure?.(failure);
  }

  /** The store was asked for jobs again: that it fails to answer is news from here on. */
  answered(): void {
    this.#reported.delete('');
  }
}

function causeOf(error: unknown): string {
  if (error instanceof EspalierError) return error.code;
  return error instanceof Error ? `${error.name} ${error.message}` : String(error);
}
