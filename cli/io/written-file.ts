import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { fileModeOf } from '../config/file-mode.ts';
import type { Settings } from '../config/settings.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { linkTarget } from './link-target.ts';
import { escapedJson } from './safe-text.ts';

interface FileCall {
  readonly io: Pick<Io, 'cwd' | 'stop' | 'stdout'>;
  readonly settings: Settings;
}

/**
 * Writes lines to a file, as {@link writeFile} does, or to the standard output.
 *
 * @param file a path; `-` is the standard output
 * @throws the error of `write`; then no file has changed
 */
export async function writeFileOrStdout(
  call: FileCall,
  file: string,
  write: (out: Writable) => Promise<void>,
): Promise<void> {
  const writeTo = async (out: Writable) => {
    const written = finished(out);
    // The stream may fail between two writes, when nothing else listens.
    written.catch(() => {});
    try {
      await write(out);
      out.end();
      await written;
    } catch (error) {
      out.destroy();
      throw error;
    }
  };
  if (file === '-') return writeTo(toStdout(call));
  const path = resolve(call.io.cwd, file);
  return writeFile(path, fileModeOf(call.settings), (handle) => writeTo(handle.createWriteStream()), call.io.stop);
}

/**
 * Writes a file as a whole or not at all, even on power loss. For a symbolic link, its target is written. A pipe, a
 * device or another file that is not regular is written piece by piece. If several processes write a file at once, each
 * writes it as a whole, and the last one wins.
 *
 * @param fileMode permissions of a new file; an existing one keeps its own
 * @param stop ends the wait for the reader of a pipe
 * @throws {Failure} for a file that cannot be written, such as on a full disk; or the error of `write`
 */
export async function writeFile(
  path: string,
  fileMode: number,
  write: (handle: FileHandle) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  try {
    const before = await stat(path).catch(() => null);
    if (before !== null && !before.isFile()) {
      return await writeAndClose(await (before.isFIFO() ? openPipe(path, stop) : open(path, 'w')), write);
    }
    const target = await linkTarget(path);
    // A unique name, as another process may write the same file at the same time.
    const part = `${target}.part-${randomUUID().slice(0, 8)}`;
    // Private until its permissions are set.
    const handle = await open(part, 'wx', 0o600);
    try {
      // A second handle, as a stream closes the handle that it writes to. It is opened now, as the permissions that are
      // set later may forbid it.
      const disk = await open(part, 'r+');
      await writeAndClose(disk, async () => {
        await handle.chmod(before === null ? fileMode : before.mode & 0o777);
        await writeAndClose(handle, write);
        // Otherwise the name could lead to an empty file after power loss.
        await disk.sync();
      });
      await rename(part, target);
    } catch (error) {
      await handle.close();
      await rm(part, { force: true });
      throw error;
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Failure('failed', `${path} cannot be written: ${error.message}`, [], { cause: error });
  }
}

/** Looks for a reader every 50 ms: a process that is blocked while it opens a pipe cannot be interrupted. */
async function openPipe(path: string, stop: AbortSignal | undefined): Promise<FileHandle> {
  for (;;) {
    if (stop?.aborted === true) throw new Failure('interrupted', 'Interrupted.');
    try {
      const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
      const pipe = await open(path, 'w');
      await probe.close();
      return pipe;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await setTimeout(50);
    }
  }
}

async function writeAndClose(handle: FileHandle, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(handle);
  } finally {
    await handle.close();
  }
}

function toStdout({ io }: FileCall): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      io.stdout.write(escapedJson(chunk));
      done();
    },
  });
}
