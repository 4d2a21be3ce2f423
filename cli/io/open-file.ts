import { constants, open as openDescriptor } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { Failure, usage } from './failure.ts';

/**
 * Opens a file to be read.
 *
 * @param cwd base of a relative path.
 * @throws a failure for a folder or a pipe, and for a file that cannot be read
 */
export async function openFile(cwd: string, file: string): Promise<FileHandle> {
  await refusePipe(resolve(cwd, file), file);
  const handle = await open(resolve(cwd, file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new Failure('failed', `${file} is a folder, not a file.`);
}

/**
 * A socket that reads a named pipe, or the pipe of `<(command)`; null for another kind of file. A process that is
 * blocked in opening or reading a file cannot be interrupted; this one waits for a writer without being blocked.
 *
 * @throws a failure for a pipe that cannot be read
 */
export async function openPipe(cwd: string, file: string): Promise<Socket | null> {
  const path = resolve(cwd, file);
  try {
    if (!(await stat(path)).isFIFO()) return null;
    const fd = await promisify(openDescriptor)(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Whether the path is a named pipe, or the pipe of `<(command)`. */
export async function isPipe(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFIFO() === true;
}

/**
 * Refuses a pipe as a file that is read twice, or is also written.
 *
 * @param name its name in the message
 * @throws a usage failure for a pipe: its content can be read only once, and a process that is blocked in opening one
 * cannot be interrupted
 */
export async function refusePipe(path: string, name = path): Promise<void> {
  if (await isPipe(path)) throw usage(`${name} is a pipe: a regular file is needed here.`);
}

/** @param error the error of the file system */
export function unreadable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Failure('notFound', `There is no file ${file}.`);
  return new Failure('failed', `${file} cannot be read: ${message}`, [], { cause: error });
}
