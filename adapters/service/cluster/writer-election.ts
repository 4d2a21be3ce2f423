import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../http/index.ts';
import type { Fork } from './fork.ts';

type Worker = Pick<Fork, 'pid' | 'ask'>;

/** Elects one worker, the writer, to run the writes of all, and another when it ends. */
export interface WriterElection<W> {
  /** The worker to which the others may forward; null: none yet. */
  writer(): W | null;
  /** Called when a worker starts to listen, and when one ends. */
  workersChanged(): void;
  close(): void;
}

/**
 * Correctness does not depend on the election: workers without a writer write themselves.
 *
 * @param listening the workers that listen now, oldest first
 */
export function electWriters<W extends Worker>(listening: () => readonly W[], logger: Logger): WriterElection<W> {
  // `mkdtemp` makes it private to this user: the writer does not authenticate callers.
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'));
  let writer: W | null = null;
  let path: string | null = null;
  let forwarding = new Set<W>();

  function elect(): void {
    const [oldest] = listening();
    writer = oldest ?? null;
    path = null;
    forwarding = new Set();
    if (oldest === undefined) return;
    const socket = join(folder, `${oldest.pid}.sock`);
    oldest.ask('writeForAll', socket).then(
      () => {
        if (writer !== oldest) return;
        path = socket;
        logger.info({ worker: oldest.pid }, 'worker writes for all');
        letForward();
      },
      (error: Error) => {
        if (listening().includes(oldest))
          logger.error({ worker: oldest.pid, reason: error.message }, 'each worker writes');
      },
    );
  }

  function letForward(): void {
    for (const worker of listening()) {
      if (path === null || worker === writer || forwarding.has(worker)) continue;
      forwarding.add(worker);
      worker.ask('forwardWrites', path).catch(() => {});
    }
  }

  return {
    writer: () => (path === null ? null : writer),
    workersChanged() {
      if (writer === null || !listening().includes(writer)) elect();
      else letForward();
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
