import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { invalid } from '../../../core/kernel/errors.ts';
import { unavailable } from '../unavailable.ts';

/** What lmdb copies of an open database: one committed state, whoever writes meanwhile. */
interface Copied {
  backup(path: string, compact: boolean): Promise<void>;
}

/**
 * Copies an open database to a new file, which has its name only once all of it is on the disk.
 *
 * @param fileMode permissions of the copy
 * @throws `invalid-input` for a path where there is something
 * @throws `store-unavailable` if it cannot be written; then nothing is left of it
 */
export async function backUp(db: Copied, to: string, fileMode: number): Promise<void> {
  const path = resolve(to);
  requireNew(path);
  let folder: string | null = null;
  try {
    // Private: lmdb leaves the permissions of the copy to the umask.
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
    throw unavailable(error, `to write ${path}`);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

function requireNew(path: string): void {
  if (existsSync(path)) throw invalid('/path', 'is there already: a backup goes to a new file');
}
