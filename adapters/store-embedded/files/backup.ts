import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { invalid } from '../../../core/kernel/errors.ts';
import { lmdbError } from '../store-errors.ts';

/** An open lmdb database. `backup` copies one committed state of it, even while other writes are committed. */
interface BackupSource {
  backup(path: string, compact: boolean): Promise<void>;
}

/**
 * Copies an open database to a new file. The file gets its name only when all of it is on the disk.
 *
 * @param fileMode permissions of the copy
 * @throws `invalid-input` for a path that exists
 * @throws `store-unavailable` if it cannot be written; no part of it is left then
 */
export async function backUp(db: BackupSource, to: string, fileMode: number): Promise<void> {
  const path = resolve(to);
  requireNew(path);
  let folder: string | null = null;
  try {
    // A private folder, as lmdb leaves the permissions of the copy to the umask.
    folder = await mkdtemp(`${path}.part-`);
    const copy = join(folder, 'copy');
    await db.backup(copy, true);
    const handle = await open(copy, 'r+');
    try {
      await handle.chmod(fileMode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    requireNew(path);
    await rename(copy, path);
  } catch (error) {
    throw lmdbError(error, `to write ${path}`);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

function requireNew(path: string): void {
  if (existsSync(path)) throw invalid('/path', 'is there already: a backup goes to a new file');
}
