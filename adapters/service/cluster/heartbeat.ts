import type { Logger } from '../../http/index.ts';
import { surplus } from './balance.ts';
import type { Fork } from './fork.ts';

/** How often workers are asked whether they are there, and how long they may be silent. */
export interface HeartbeatOptions {
  /** Between two beats, in milliseconds. Default 1,000. */
  readonly interval?: number;
  /** A worker that answers none of so many beats in succession is killed. Default 20. */
  readonly silentBeats?: number;
  /** A worker that does not listen after so many beats is killed. Default 60. */
  readonly startBeats?: number;
}

/** What a worker says of itself at each beat. */
export interface Pulse {
  /** Connections that had a request since the beat before. */
  readonly busyConnections: number;
}

/** A worker under supervision. */
export interface Watched extends Pick<Fork, 'pid' | 'ask' | 'kill'> {
  readonly listensSince?: number;
}

interface State {
  silent: number;
  beats: number;
  pulse: Pulse | null;
}

/**
 * Kills workers that do not answer, and shares busy connections out between the others. Beats are counted, not time: a
 * machine or a primary that was stopped for a while has missed none.
 *
 * @param workers those that are there at this moment
 * @returns what ends it
 */
export function watchWorkers(
  workers: () => Iterable<Watched>,
  logger: Logger,
  { interval = 1_000, silentBeats = 20, startBeats = 60 }: HeartbeatOptions = {},
): () => void {
  const states = new WeakMap<Watched, State>();

  function beat(worker: Watched): void {
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
    // A worker that is gone is silent too, until its end is known.
    worker.ask<Pulse>('pulse').then(
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
    const counts = surplus(pulses.map(({ busyConnections }) => busyConnections));
    for (const [index, count] of counts.entries()) {
      if (count > 0) listening[index]!.ask('endConnections', count).catch(() => {});
    }
  }

  const timer = setInterval(() => {
    share();
    for (const worker of workers()) beat(worker);
  }, interval);
  return () => clearInterval(timer);
}
