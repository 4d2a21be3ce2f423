import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLockFile } from './lock-file.ts';

/** Permissions of a file that its owner may read and write, and nobody else may open. */
export const OWNER_ONLY = 0o600;
const READ = 0o444;
const READ_AND_WRITE = 0o666;

/**
 * Makes the file of a store, its lock file and the folders that are missing, before the engine opens them: it would let
 * everybody read them as far as the umask does. What is there keeps its permissions; a lock file that is missing beside a
 * store gets those of the store.
 *
 * @param mode permissions of the files, whatever the umask is; folders may be entered by whoever may read
 */
export function createStoreFiles(path: string, mode: number): void {
  createFolders(dirname(path), mode | ((mode & READ) >> 2));
  createFile(path, mode);
  const store = statSync(path, { throwIfNoEntry: false });
  createLockFile(`${path}-lock`, store === undefined ? mode : store.mode & READ_AND_WRITE);
}

/** Nobody else may use a folder before it has its permissions. */
function createFolders(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    chmodSync(made, mode);
    if (made === first || made === dirname(made)) return;
  }
}

/** Does nothing where there is something already. */
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
