import type { Logger, MetricSnapshot } from '../../http/index.ts';
import { fork, type End, type Fork } from './fork.ts';
import { watchWorkers, type HeartbeatOptions } from './heartbeat.ts';
import { Restarts, type Restart, EARLY, MAX_EARLY_CRASHES, CRASH_WINDOW } from './restarts.ts';
import { countForAll } from './shared-limits.ts';
import { electWriters } from './writer-election.ts';

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
  /** Waits for running requests. @throws if a worker did not end in order */
  close(): Promise<void>;
}

/** Milliseconds after which a worker that was asked to stop is killed. */
const STOPPED_WITHIN = 30_000;
/** How long `/metrics` waits for the metrics of a worker, in milliseconds. */
const METRICS_WITHIN = 2_000;

/** A worker with its state. */
interface Worker extends Fork {
  /** In the time of `performance.now()`. */
  listensSince?: number;
  failure?: StartFailure;
  /** Its metrics as it answered last. */
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
  const { logger, stop } = options;
  const workers = new Set<Worker>();
  const counting = countForAll();
  const { writers = 0 } = options;
  const election = writers > 0 ? electWriters(() => listeners(), logger, writers) : undefined;
  let { port } = options;
  let url: string | null = null;
  let isComplete = false;
  let isClosing = false;
  const restarts = new Restarts();
  let disorder: StartFailure | undefined;

  const complete = deferred<void>();
  const failed = deferred<never>();
  // Callers need not handle it.
  failed.promise.catch(() => {});

  function start(failures = 0): void {
    const answers = {
      ...counting,
      settings: () => options.settings,
      port: portNow,
      listening: (at: string) => listens(worker, at),
      failed(failure: StartFailure) {
        worker.failure = failure;
      },
      metricSnapshots,
    };
    const worker: Worker = { ...fork(answers), failures };
    workers.add(worker);
    void worker.ended.then((end) => ended(worker, end));
  }

  function replace({ pause, failures }: Restart): void {
    if (pause === 0) {
      start(failures);
      return;
    }
    logger.info({ pauseMs: pause, failures }, 'worker is replaced after a pause');
    // The watch over workers keeps this process running, and a pause does not hold up its end.
    setTimeout(() => void (isClosing || stop.aborted || start(failures)), pause).unref();
  }

  function portNow(): number {
    // With port 0 the workers share a port only while one of them listens.
    if (port === 0 && url !== null && listeners().length === 0) port = Number(new URL(url).port);
    return port;
  }

  function listens(worker: Worker, at: string): void {
    // It is being killed.
    if (isClosing) return;
    url ??= at;
    // All others have ended in between, so it got another free port.
    if (at !== url) worker.kill();
    worker.listensSince = performance.now();
    logger.info({ worker: worker.pid }, 'worker listens');
    election?.workersChanged();
    if (listeners().length < options.workers) return;
    isComplete = true;
    complete.resolve();
  }

  function ended(worker: Worker, { code, signal }: End): void {
    const { pid, listensSince } = worker;
    workers.delete(worker);
    const message = `Worker ${pid} ended with ${signal ?? `code ${code}`}.`;
    const failure = worker.failure ?? { exit: 'failed', message, hints: [] };
    if (isClosing || stop.aborted) {
      if (listensSince !== undefined && (code !== 0 || worker.failure !== undefined)) disorder = failure;
      return;
    }
    if (!isComplete) {
      failed.reject(options.failure(failure));
      return;
    }
    logger.error({ worker: pid, code, signal, reason: failure.message }, 'worker ended');
    election?.workersChanged();
    const now = performance.now();
    const age = listensSince === undefined ? null : now - listensSince;
    const { failures } = worker;
    const hasFailed = worker.failure !== undefined;
    const restart = restarts.after({ end: { code, signal }, hasFailed, age, failures }, now);
    if (restart !== null) {
      replace(restart);
      return;
    }
    logger.error(
      { crashes: MAX_EARLY_CRASHES, withinMs: CRASH_WINDOW, afterStartMs: EARLY },
      'workers crash as they start',
    );
    failed.reject(options.failure(crashLoop(failure)));
  }

  function listeners(): Worker[] {
    return [...workers].filter(({ listensSince }) => listensSince !== undefined);
  }

  /** The metrics of all workers that listen; of one that does not answer, what it has answered before: counts never go down. */
  async function metricSnapshots(): Promise<readonly MetricSnapshot[]> {
    const asked = listeners().map(async (worker) => {
      const answer = worker.ask<MetricSnapshot>('metricSnapshot', undefined, METRICS_WITHIN);
      worker.metrics = await answer.catch(() => worker.metrics);
      return worker.metrics ?? [];
    });
    return Promise.all(asked);
  }

  const endWatch = watchWorkers(
    () => workers,
    () => election?.writer() ?? null,
    logger,
    options.heartbeat,
  );

  async function close(): Promise<void> {
    isClosing = true;
    endWatch();
    for (const { listensSince, kill, ask } of workers) {
      // A worker that does not listen has no requests to finish.
      if (listensSince === undefined) kill();
      else ask('stop').catch(() => {});
    }
    const timer = setTimeout(() => {
      for (const { pid, kill } of workers) {
        logger.error({ worker: pid, reason: 'it does not stop' }, 'worker is killed');
        kill();
      }
    }, STOPPED_WITHIN);
    await Promise.all([...workers].map((worker) => worker.ended));
    clearTimeout(timer);
    election?.close();
    if (disorder !== undefined) throw options.failure(disorder);
  }

  for (let i = 0; i < options.workers; i += 1) start();
  try {
    await Promise.race([complete.promise, failed.promise, aborted(stop)]);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: isComplete ? url : null, failed: failed.promise, close };
}

function crashLoop({ exit, message, hints }: StartFailure): StartFailure {
  return {
    exit,
    message,
    hints: [...hints, `${MAX_EARLY_CRASHES} workers crashed as they started within ${CRASH_WINDOW / 1_000} seconds.`],
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
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
