import type { Logger, MetricSnapshot } from '../../http/index.ts';
import { whenAborted } from '../../event-loop/when-aborted.ts';
import { fork, type ProcessExit, type Fork } from './fork.ts';
import { watchWorkers, type HeartbeatOptions } from './heartbeat.ts';
import { Restarts, type Restart, EARLY, MAX_EARLY_CRASHES, CRASH_WINDOW } from './restarts.ts';
import { countForAll } from './shared-limits.ts';
import { electWriters, type WriterElection } from './writer-election.ts';

/** Why a worker cannot start. */
export interface StartFailure {
  /** The name of an exit code. */
  readonly exit: string;
  readonly message: string;
  /** What to do next, one line each. */
  readonly hints: readonly string[];
}

export interface ClusterOptions {
  /** The number of worker processes. */
  readonly workers: number;
  /** The port; 0: any free port, the same for all workers. */
  readonly port: number;
  /** The settings of each worker, including those started later. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Aborted when the service is to stop. */
  readonly stop: AbortSignal;
  /** Makes the error to throw for a failure. */
  readonly failure: (failure: StartFailure) => Error;
  readonly heartbeat?: HeartbeatOptions;
  /** How many workers run writes for the others, each those of some workspaces. Default 0: each runs its own. */
  readonly writers?: number;
}

/** A service of several processes on one address. */
export interface Workers {
  /** Null if it was asked to stop before all workers listened. */
  readonly url: string | null;
  /** Rejects if workers crash again and again as they start. */
  readonly failed: Promise<never>;
  /** Waits for running requests. @throws if a worker did not exit cleanly */
  close(): Promise<void>;
}

/** Milliseconds after which a worker that was asked to stop is killed. */
const STOPPED_WITHIN = 30_000;
/** How long `/metrics` waits for the metrics of a worker, in milliseconds. */
const METRICS_WITHIN = 2_000;

/** A worker with its state. */
interface ForkedWorker extends Fork {
  /** In the time of `performance.now()`. */
  listensSince?: number;
  failure?: StartFailure;
  /** The metrics in its last answer. */
  metrics?: MetricSnapshot | undefined;
  /** See {@link Restart}. */
  readonly failures: number;
}

/**
 * Starts workers, and replaces each that ends or does not answer.
 *
 * @throws why one of the first workers cannot start
 */
export async function startWorkers(options: ClusterOptions): Promise<Workers> {
  const cluster = new Cluster(options);
  try {
    await cluster.start();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return { url: cluster.url, failed: cluster.failed, close: () => cluster.close() };
}

class Cluster {
  readonly #options: ClusterOptions;
  readonly #workers = new Set<ForkedWorker>();
  readonly #counting = countForAll();
  readonly #election: WriterElection<ForkedWorker> | undefined;
  readonly #restarts = new Restarts();
  readonly #complete = deferred<void>();
  readonly #failed = deferred<never>();
  readonly #endWatch: () => void;
  #port: number;
  #url: string | null = null;
  #isComplete = false;
  #isClosing = false;
  /** The failure of a worker that was asked to stop and did not exit cleanly. */
  #disorder: StartFailure | undefined;

  constructor(options: ClusterOptions) {
    const { logger, port, heartbeat, writers = 0 } = options;
    this.#options = options;
    this.#port = port;
    this.#election = writers > 0 ? electWriters(() => this.#listeners(), logger, writers) : undefined;
    // Callers need not handle it.
    this.failed.catch(() => {});
    this.#endWatch = watchWorkers(
      () => this.#workers,
      () => this.#election?.writer() ?? null,
      logger,
      heartbeat,
    );
  }

  /** Null before all workers listen. */
  get url(): string | null {
    return this.#isComplete ? this.#url : null;
  }

  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Resolves when all workers listen, or the service is to stop. @throws why one of them cannot start */
  async start(): Promise<void> {
    const { workers, stop } = this.#options;
    for (let i = 0; i < workers; i += 1) this.#start();
    await Promise.race([this.#complete.promise, this.failed, whenAborted(stop)]);
  }

  async close(): Promise<void> {
    const { logger, failure } = this.#options;
    this.#isClosing = true;
    this.#endWatch();
    for (const { listensSince, kill, ask } of this.#workers) {
      // A worker that does not listen has no requests to finish.
      if (listensSince === undefined) kill();
      else ask('stop').catch(() => {});
    }
    const timer = setTimeout(() => {
      for (const { pid, kill } of this.#workers) {
        logger.error({ worker: pid, reason: 'it does not stop' }, 'worker is killed');
        kill();
      }
    }, STOPPED_WITHIN);
    await Promise.all([...this.#workers].map((worker) => worker.ended));
    clearTimeout(timer);
    this.#election?.close();
    if (this.#disorder !== undefined) throw failure(this.#disorder);
  }

  #start(failures = 0): void {
    const answers = {
      ...this.#counting,
      settings: () => this.#options.settings,
      port: () => this.#portNow(),
      listening: (at: string) => this.#listens(worker, at),
      failed(failure: StartFailure) {
        worker.failure = failure;
      },
      metricSnapshots: () => this.#metricSnapshots(),
    };
    const worker: ForkedWorker = { ...fork(answers), failures };
    this.#workers.add(worker);
    void worker.ended.then((end) => this.#ended(worker, end));
  }

  #replace({ pause, failures }: Restart): void {
    if (pause === 0) {
      this.#start(failures);
      return;
    }
    this.#options.logger.info({ pauseMs: pause, failures }, 'worker is replaced after a pause');
    // The heartbeats of workers keep this process running; a pause does not delay its exit.
    setTimeout(() => void (this.#isStopping || this.#start(failures)), pause).unref();
  }

  get #isStopping(): boolean {
    return this.#isClosing || this.#options.stop.aborted;
  }

  #portNow(): number {
    // With port 0 the workers share a port only while one of them listens.
    if (this.#port === 0 && this.#url !== null && this.#listeners().length === 0) {
      this.#port = Number(new URL(this.#url).port);
    }
    return this.#port;
  }

  #listens(worker: ForkedWorker, at: string): void {
    // It is being killed.
    if (this.#isClosing) return;
    this.#url ??= at;
    // All other workers have ended in the meantime, so it got another free port.
    if (at !== this.#url) worker.kill();
    worker.listensSince = performance.now();
    this.#options.logger.info({ worker: worker.pid }, 'worker listens');
    this.#election?.workersChanged();
    if (this.#listeners().length < this.#options.workers) return;
    this.#isComplete = true;
    this.#complete.resolve();
  }

  #ended(worker: ForkedWorker, end: ProcessExit): void {
    const { pid, listensSince } = worker;
    const { code, signal } = end;
    this.#workers.delete(worker);
    const message = `Worker ${pid} ended with ${signal ?? `code ${code}`}.`;
    const failure = worker.failure ?? { exit: 'failed', message, hints: [] };
    if (this.#isStopping) {
      if (listensSince !== undefined && (code !== 0 || worker.failure !== undefined)) this.#disorder = failure;
      return;
    }
    if (!this.#isComplete) {
      this.#fail(failure);
      return;
    }
    this.#options.logger.error({ worker: pid, code, signal, reason: failure.message }, 'worker ended');
    this.#election?.workersChanged();
    this.#restart(worker, end, failure);
  }

  /** Replaces a worker that has ended, or gives up if workers crash again and again as they start. */
  #restart({ listensSince, failures, failure: told }: ForkedWorker, end: ProcessExit, failure: StartFailure): void {
    const now = performance.now();
    const age = listensSince === undefined ? null : now - listensSince;
    const restart = this.#restarts.after({ end, hasFailed: told !== undefined, age, failures }, now);
    if (restart !== null) {
      this.#replace(restart);
      return;
    }
    this.#options.logger.error(
      { crashes: MAX_EARLY_CRASHES, withinMs: CRASH_WINDOW, afterStartMs: EARLY },
      'workers crash as they start',
    );
    this.#fail(crashLoop(failure));
  }

  #fail(failure: StartFailure): void {
    this.#failed.reject(this.#options.failure(failure));
  }

  #listeners(): ForkedWorker[] {
    return [...this.#workers].filter(({ listensSince }) => listensSince !== undefined);
  }

  /**
   * The metrics of all workers that listen; for a worker that does not answer, its last answer, so that counts never go
   * down.
   */
  async #metricSnapshots(): Promise<readonly MetricSnapshot[]> {
    const asked = this.#listeners().map(async (worker) => {
      const answer = worker.ask<MetricSnapshot>('metricSnapshot', undefined, METRICS_WITHIN);
      worker.metrics = await answer.catch(() => worker.metrics);
      return worker.metrics ?? [];
    });
    return Promise.all(asked);
  }
}

function crashLoop({ exit, message, hints }: StartFailure): StartFailure {
  return {
    exit,
    message,
    hints: [...hints, `${MAX_EARLY_CRASHES} workers crashed as they started within ${CRASH_WINDOW / 1_000} seconds.`],
  };
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((settle, refuse) => {
    resolve = settle;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
