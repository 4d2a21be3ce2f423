import { closeSync, existsSync, fchmodSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';

/** Bytes: enough for over 1,000 readers. */
const SIZE = 64 * 1024;

/** The path of the lock file that lmdb uses for a file. */
export function lockOf(path: string): string {
  return `${path}-lock`;
}

/**
 * Creates the lock file of a store with all its blocks allocated. lmdb would create a sparse file and map it: a process
 * that touches an unallocated part of it on a full disk is killed by the system (SIGBUS). It is written under another
 * name and then linked, as processes that open the store at the same time must use the same file, and nothing may write
 * to it while lmdb has it open.
 *
 * @param mode permissions, regardless of the umask
 * @throws system errors such as ENOSPC
 */
export function createLockFile(path: string, mode: number): void {
  if (existsSync(path)) return;
  const draft = `${path}.${process.pid}`;
  try {
    // A leftover file may have any permissions, or be a symbolic link.
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', 0o600);
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

/**
 * Whether the error does no harm: another process has created the file, or the file system has no links, in which case
 * lmdb creates it.
 */
function isHarmless(error: unknown): boolean {
  return ['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '');
}
