import { stat } from 'node:fs/promises';

/** A file that others than its owner may use, beyond what is set for the files that the program makes. */
export interface OpenFile {
  readonly path: string;
  /** In octal: `0644`. */
  readonly mode: string;
  /** Of whom it is open: the group of the file, or everybody. */
  readonly to: 'group' | 'everybody';
}

/** @param allowed permissions that are meant. Files that are not there are left out */
export async function openFiles(paths: readonly string[], allowed: number): Promise<readonly OpenFile[]> {
  const found: OpenFile[] = [];
  for (const path of paths) {
    const file = await stat(path).catch(() => null);
    if (file === null) continue;
    const beyond = file.mode & 0o077 & ~allowed;
    const mode = (file.mode & 0o777).toString(8).padStart(4, '0');
    if (beyond !== 0) found.push({ path, mode, to: (beyond & 0o007) === 0 ? 'group' : 'everybody' });
  }
  return found;
}
