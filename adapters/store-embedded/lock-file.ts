import { closeSync, existsSync, fchmodSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';

/** Bytes: room for over 1,000 readers. */
const SIZE = 64 * 1024;

/**
 * Makes the lock file of a store with all of its bytes on the disk. lmdb would leave it sparse, and map it: a process that
 * touches a part for which there is no room is ended by the system (SIGBUS). It is written under another name first, as
 * processes that open the store at the same time have to find one and the same file, and nothing may be written to it
 * once lmdb has it.
 *
 * @param mode permissions, whatever the umask is
 * @throws an error of the system such as ENOSPC
 */
export function createLockFile(path: string, mode: number): void {
  if (existsSync(path)) return;
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      fchmodSync(file, mode);
      const zeros = Buffer.alloc(SIZE);
      for (let at = 0; at < SIZE;) at += writeSync(file, zeros, at, SIZE - at, at);
    } finally {
      closeSync(file);
    }
    linkSync(draft, path);
  } catch (error) {
    if (!isHarmless(error)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Another process was a moment earlier, or the file system has no links: then lmdb makes the file. */
function isHarmless(error: unknown): boolean {
  return ['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '');
}
