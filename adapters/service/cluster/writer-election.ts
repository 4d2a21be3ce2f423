import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../http/index.ts';
import type { Fork } from './fork.ts';

type WriterCandidate = Pick<Fork, 'pid' | 'ask'>;

/**
 * The longest path of a socket that works on every system, in bytes. A longer one is truncated without an error, to a
 * path outside of the folder.
 */
const LONGEST_PATH = 103;

/** Elects writers, the workers that run the writes of all, and replaces those that end. */
export interface WriterElection<W> {
  /** The writer if there is exactly one; else null. */
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
export function electWriters<W extends WriterCandidate>(
  listening: () => readonly W[],
  logger: Logger,
  most: number,
): WriterElection<W> {
  let folder: string | undefined;
  /** The writers with the paths of their sockets; null until a writer is known to listen. */
  const writers = new Map<W, string | null>();
  const told = new WeakMap<W, string>();

  function socketOf({ pid }: W): string {
    // `mkdtemp` makes it private to this user: a writer does not authenticate callers.
    folder ??= mkdtempSync(join(tmpdir(), 'espalier-'));
    const path = join(folder, `${pid}.sock`);
    if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`The path of its socket is too long: ${path}`);
    return path;
  }

  async function appoint(worker: W): Promise<void> {
    writers.set(worker, null);
    try {
      const path = socketOf(worker);
      await worker.ask('writeForOthers', path);
      if (!writers.has(worker)) return;
      writers.set(worker, path);
      logger.info({ worker: worker.pid }, 'worker writes for others');
      tell();
    } catch (error) {
      const reason = (error as Error).message;
      if (listening().includes(worker))
        logger.error({ worker: worker.pid, reason }, 'worker no longer writes for others');
    }
  }

  /** Tells each worker all writers in the same order, with null in place of itself. */
  function tell(): void {
    const ready = [...writers].filter(([, path]) => path !== null);
    // Connections to writers that have ended are closed already.
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
      for (const worker of workers) if (writers.size < most && !writers.has(worker)) void appoint(worker);
      tell();
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
