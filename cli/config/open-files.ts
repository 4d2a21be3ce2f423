import { stat } from 'node:fs/promises';

/** A file with more permissions for others than configured. */
export interface OpenFile {
  readonly path: string;
  /** In octal: `0644`. */
  readonly mode: string;
  /** To whom the file is open: its group, or everybody. */
  readonly to: 'group' | 'everybody';
}

/** @param allowed intended permissions. Missing files are left out */
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
