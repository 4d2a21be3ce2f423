import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Call } from '../call.ts';
import { fileModeOf } from '../config/file-mode.ts';
import { Failure } from './failure.ts';
import { escapedJson } from './safe-text.ts';

/**
 * Writes lines to a file that appears when it is complete, or to the standard output.
 *
 * @param file a path; `-` is the standard output
 * @throws whatever `write` throws; then there is no file
 */
export async function writeFileOrStdout(
  call: Call,
  file: string,
  write: (out: Writable) => Promise<void>,
): Promise<void> {
  const target = file === '-' ? null : resolve(call.io.cwd, file);
  const out =
    target === null ? toStdout(call) : (await openPart(target, fileModeOf(call.settings))).createWriteStream();
  try {
    await write(out);
    out.end();
    await finished(out);
    if (target !== null) await rename(partOf(target), target);
  } catch (error) {
    out.destroy();
    if (target === null) throw error;
    await rm(partOf(target), { force: true });
    // A full disk, for example.
    if (error instanceof Error && 'syscall' in error) {
      throw new Failure('failed', `${target} cannot be written: ${error.message}`, [], { cause: error });
    }
    throw error;
  }
}

/** The temporary file next to a file that is written: it is renamed when it is complete. */
export function partOf(target: string): string {
  return `${target}.part`;
}

/** Creates the temporary file, private until its permissions are set: those of the file it will replace, or `fileMode`. */
export async function openPart(target: string, fileMode: number): Promise<FileHandle> {
  const before = await stat(target).catch(() => null);
  // A leftover file may have any permissions, or be a symbolic link.
  await rm(partOf(target), { force: true });
  const part = await open(partOf(target), 'wx', 0o600);
  await part.chmod(before === null ? fileMode : before.mode & 0o777);
  return part;
}

function toStdout({ io }: Call): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      io.stdout.write(escapedJson(chunk));
      done();
    },
  });
}
