import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../http/index.ts';
import type { Fork } from './fork.ts';

type Worker = Pick<Fork, 'pid' | 'ask'>;

/** Elects the workers that run the writes of all, the writers, and others when they end. */
export interface WriterElection<W> {
  /** The only one that writes for the others; null: none yet, or there are several. */
  writer(): W | null;
  /** Called when a worker starts to listen, and when one ends. */
  workersChanged(): void;
  close(): void;
}

/**
 * Correctness does not depend on the election: workers without a writer write themselves.
 *
 * @param listening the workers that listen now, oldest first
 * @param most how many writers there are at most, the oldest first
 */
export function electWriters<W extends Worker>(
  listening: () => readonly W[],
  logger: Logger,
  most: number,
): WriterElection<W> {
  // `mkdtemp` makes it private to this user: a writer does not authenticate callers.
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'));
  /** The writers with the paths of their sockets; null: it is not known to listen there. */
  const writers = new Map<W, string | null>();
  const told = new WeakMap<W, string>();

  function appoint(worker: W): void {
    const path = join(folder, `${worker.pid}.sock`);
    writers.set(worker, null);
    worker.ask('writeForOthers', path).then(
      () => {
        if (!writers.has(worker)) return;
        writers.set(worker, path);
        logger.info({ worker: worker.pid }, 'worker writes for others');
        tell();
      },
      (error: Error) => {
        if (listening().includes(worker))
          logger.error({ worker: worker.pid, reason: error.message }, 'worker writes for no other');
      },
    );
  }

  /** Tells each worker all writers in the same order; null in its own place. */
  function tell(): void {
    const ready = [...writers].filter(([, path]) => path !== null);
    // The connections to those that have ended are closed.
    if (ready.length === 0) return;
    for (const worker of listening()) {
      const paths = ready.map(([writer, path]) => (writer === worker ? null : path));
      const news = paths.join(' ');
      if ((told.get(worker) ?? '') === news) continue;
      told.set(worker, news);
      worker.ask('forwardWrites', paths).catch(() => {});
    }
  }

  return {
    writer() {
      const [[writer, path] = [null, null]] = writers;
      return most === 1 && path !== null ? writer : null;
    },
    workersChanged() {
      const workers = listening();
      for (const writer of writers.keys()) if (!workers.includes(writer)) writers.delete(writer);
      for (const worker of workers) if (writers.size < most && !writers.has(worker)) appoint(worker);
      tell();
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
