import { inMemory, type Limit, type Limiter } from '../../adapters/limiter/index.ts';
import type { MetricSnapshot } from '../../adapters/http/index.ts';
import { Failure } from '../io/failure.ts';
import { stopAsked } from '../io/io.ts';
import { SETTING_NAMES, SETTINGS, type Settings } from '../config/settings.ts';
import { fork, type End, type Fork, type Told } from './fork.ts';
import type { Setup } from './service-options.ts';

/** A service of several processes at one address. */
export interface Workers {
  /** Null when it was asked to stop before all of them listened. */
  readonly url: string | null;
  /** Rejects when no worker can be kept running. */
  readonly failed: Promise<never>;
  /** Lets running requests end. @throws when a worker did not end in order */
  close(): Promise<void>;
}

/** Whoever ends within so many ms of listening has not started well. */
const SOON = 1_000;
/** So many bad starts within so many ms are too many. */
const TOO_MANY = 5;
const WITHIN = 60_000;

/** One of them, from its start on. */
interface Worker extends Fork {
  /** As `performance.now()` has it. */
  listensSince?: number;
  failure?: Failure;
}

/**
 * Starts the workers that are set, and another in place of each that ends.
 *
 * @throws what keeps one of the first from starting
 */
export async function startWorkers(setup: Setup, settings: Settings, stop: AbortSignal): Promise<Workers> {
  const { logger } = setup;
  const workers = new Set<Worker>();
  const counting = countingHere();
  let { port } = setup;
  let url: string | null = null;
  let isComplete = false;
  let isClosing = false;
  let badStarts: readonly number[] = [];
  let disorder: Failure | undefined;

  const complete = deferred<void>();
  const failed = deferred<never>();
  // Whoever wants to hear of it will.
  failed.promise.catch(() => {});

  function start(): void {
    const worker: Worker = fork({
      ...counting,
      settings: () => environment(settings),
      port: portNow,
      listening: (at: string) => listens(worker, at),
      failed({ exit, message, hints }: Told) {
        worker.failure = new Failure(exit, message, hints);
      },
      figures,
    });
    workers.add(worker);
    void worker.ended.then((end) => ended(worker, end));
  }

  function portNow(): number {
    // Any free port is the same for all of them only as long as one of them listens.
    if (port === 0 && url !== null && listeners().length === 0) port = Number(new URL(url).port);
    return port;
  }

  function listens(worker: Worker, at: string): void {
    // It has been killed by now.
    if (isClosing) return;
    url ??= at;
    // The last of the others has ended in between.
    if (at !== url) worker.kill();
    worker.listensSince = performance.now();
    logger.info({ worker: worker.pid }, 'worker listens');
    if (listeners().length < setup.workers) return;
    isComplete = true;
    complete.resolve();
  }

  function ended(worker: Worker, { code, signal }: End): void {
    const { pid, listensSince } = worker;
    workers.delete(worker);
    const failure = worker.failure ?? new Failure('failed', `Worker ${pid} ended with ${signal ?? `code ${code}`}.`);
    if (isClosing || stop.aborted) {
      if (listensSince !== undefined && (code !== 0 || worker.failure !== undefined)) disorder = failure;
      return;
    }
    if (!isComplete) {
      failed.reject(failure);
      return;
    }
    logger.error({ worker: pid, code, signal, reason: failure.message }, 'worker ended');
    const now = performance.now();
    badStarts = badStarts.filter((at) => now - at < WITHIN);
    if (now - (listensSince ?? now) < SOON) badStarts = [...badStarts, now];
    if (badStarts.length < TOO_MANY) start();
    else failed.reject(crashLoop(failure));
  }

  function listeners(): Worker[] {
    return [...workers].filter(({ listensSince }) => listensSince !== undefined);
  }

  /** Of all that listen. Whoever ends meanwhile has none. */
  async function figures(): Promise<readonly MetricSnapshot[]> {
    const told = await Promise.allSettled(listeners().map(({ ask }) => ask<MetricSnapshot>('figures')));
    return told.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async function close(): Promise<void> {
    isClosing = true;
    for (const { listensSince, kill, ask } of workers) {
      // Who does not listen has nothing to end in order.
      if (listensSince === undefined) kill();
      else ask('stop').catch(() => {});
    }
    await Promise.all([...workers].map((worker) => worker.ended));
    if (disorder !== undefined) throw disorder;
  }

  for (let i = 0; i < setup.workers; i += 1) start();
  try {
    await Promise.race([complete.promise, failed.promise, stopAsked(stop)]);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: isComplete ? url : null, failed: failed.promise, close };
}

/** All that is set, as the environment would have it: what a profile says may change while the service runs. */
function environment(settings: Settings): Readonly<Record<string, string>> {
  const set = SETTING_NAMES.map((name) => [SETTINGS[name].env, settings.value(name) ?? '']);
  return { ...Object.fromEntries(set), [SETTINGS.url.env]: '' };
}

/** What a limiter of any worker asks for. */
function countingHere() {
  const limiters = new Map<string, Limiter>();
  const limiterOf = (limit: Limit): Limiter => {
    const limiter = limiters.get(limit.name) ?? inMemory(limit);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  type Use = { readonly limit: Limit; readonly key: string };
  return {
    use: ({ limit, key }: Use) => limiterOf(limit).use(key),
    look: ({ limit, key }: Use) => limiterOf(limit).look(key),
  };
}

function crashLoop({ exit, message, hints }: Failure): Failure {
  return new Failure(exit, message, [...hints, `${TOO_MANY} workers ended right at their start within a minute.`]);
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
