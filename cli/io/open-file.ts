import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from './failure.ts';

/** Opens a file to be read. @param cwd base of a relative path. @throws a failure for a folder, and for what cannot be read */
export async function openFile(cwd: string, file: string): Promise<FileHandle> {
  const handle = await open(resolve(cwd, file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new Failure('failed', `${file} is a folder, not a file.`);
}

/** @param error of the file system */
export function unreadable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Failure('notFound', `There is no file ${file}.`);
  return new Failure('failed', `${file} cannot be read: ${message}`, [], { cause: error });
}
