import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLockFile, lockOf } from './lock-file.ts';

/** Read and write for the owner only. */
export const OWNER_ONLY = 0o600;
const READ = 0o444;
const READ_AND_WRITE = 0o666;

/**
 * Creates the file of a store, its lock file and missing folders before lmdb does, which would leave permissions to the
 * umask. Existing files keep their permissions; a missing lock file of an existing store gets those of the store.
 *
 * @param mode permissions of the files, regardless of the umask; folders get execute permission with each read
 * permission
 */
export function createStoreFiles(path: string, mode: number): void {
  createFolders(dirname(path), mode | ((mode & READ) >> 2));
  createFile(path, mode);
  const store = statSync(path, { throwIfNoEntry: false });
  createLockFile(lockOf(path), store === undefined ? mode : store.mode & READ_AND_WRITE);
}

/** Folders are created private and get their permissions afterwards, so nobody else can use them in between. */
function createFolders(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    chmodSync(made, mode);
    if (made === first || made === dirname(made)) return;
  }
}

/** Does nothing if it exists. */
function createFile(path: string, mode: number): void {
  let file: number;
  try {
    file = openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}
