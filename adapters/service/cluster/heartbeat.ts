import type { ConnectionCounts, Logger } from '../../http/index.ts';
import { connectionsToEnd } from './balance.ts';
import type { Fork } from './fork.ts';

/** The interval and limits of the heartbeats of workers. */
export interface HeartbeatOptions {
  /** Between two beats, in milliseconds. Default 1,000. */
  readonly interval?: number;
  /** A worker that misses this many beats in a row is killed. Default 20. */
  readonly silentBeats?: number;
  /** A worker that does not listen after this many beats is killed. Default 60. */
  readonly startBeats?: number;
}

/** The answer of a worker to a heartbeat. */
export interface HeartbeatReply {
  /** Connections with a request since the last beat. */
  readonly busyConnections: ConnectionCounts;
}

/** A worker under supervision. */
export interface SupervisedWorker extends Pick<Fork, 'pid' | 'ask' | 'kill'> {
  readonly listensSince?: number;
}

interface State {
  silent: number;
  beats: number;
  pulse: HeartbeatReply | null;
}

/**
 * Kills workers that do not answer heartbeats, and balances busy connections over the others. It counts beats, not
 * time: after the machine or the primary was suspended, no beat counts as missed.
 *
 * @param workers the present workers
 * @param writer the one that writes for all; null: each writes its own
 * @returns a function that stops it
 */
export function watchWorkers(
  workers: () => Iterable<SupervisedWorker>,
  writer: () => SupervisedWorker | null,
  logger: Logger,
  { interval = 1_000, silentBeats = 20, startBeats = 60 }: HeartbeatOptions = {},
): () => void {
  const states = new WeakMap<SupervisedWorker, State>();

  function beat(worker: SupervisedWorker): void {
    const state = states.get(worker) ?? { silent: 0, beats: 0, pulse: null };
    states.set(worker, state);
    state.beats += 1;
    state.pulse = null;
    const isLate = worker.listensSince === undefined && state.beats > startBeats;
    if (state.silent >= silentBeats || isLate) {
      const reason = isLate ? 'it does not listen' : 'it does not answer';
      logger.error({ worker: worker.pid, reason, beats: state.beats, silent: state.silent }, 'worker is killed');
      worker.kill();
      return;
    }
    state.silent += 1;
    // A worker that has ended does not answer either, until its exit is reported.
    worker.ask<HeartbeatReply>('pulse').then(
      (pulse) => {
        state.silent = 0;
        state.pulse = pulse;
      },
      () => {},
    );
  }

  function share(): void {
    const listening = [...workers()].filter(({ listensSince }) => listensSince !== undefined);
    const pulses = listening.map((worker) => states.get(worker)?.pulse ?? null);
    if (!pulses.every((pulse) => pulse !== null)) return;
    const at = listening.findIndex((worker) => worker === writer());
    const busy = pulses.map(({ busyConnections }) => busyConnections);
    for (const [index, counts] of connectionsToEnd(busy, at < 0 ? null : at).entries()) {
      listening[index]!.ask('endConnections', counts).catch(() => {});
    }
  }

  const timer = setInterval(() => {
    share();
    for (const worker of workers()) beat(worker);
  }, interval);
  return () => clearInterval(timer);
}
