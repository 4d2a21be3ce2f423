import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

/** A text edited in an editor. */
export interface Edited {
  readonly text: string;
  /** The file that holds it until {@link discard}, so that it is not lost if it cannot be used. */
  readonly path: string;
  discard(): Promise<void>;
}

/** The command in `$VISUAL` or `$EDITOR`, which may have arguments. */
function editorOf(env: Io['env']): string {
  return env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
}

/** Opens a text in the user's editor and waits until that exits. The file is private to its owner. */
export async function edit(text: string, io: Pick<Io, 'env'>): Promise<Edited> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-edit-')).catch((cause: Error) => {
    const hint = 'Set TMPDIR to a writable folder.';
    throw new Failure('failed', `A file for the editor cannot be created: ${cause.message}`, [hint], { cause });
  });
  const path = join(folder, 'task.md');
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(path, text, { mode: 0o600 });
    await closed(editorOf(io.env), path, io.env);
    return { text: await readFile(path, 'utf8'), path, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

function closed(editor: string, path: string, env: Io['env']): Promise<void> {
  // Like git: the command may have arguments, so it is run by a shell; the path is passed as an argument.
  const [command, args] =
    process.platform === 'win32'
      ? ['cmd', ['/c', `${editor} "${path}"`]]
      : ['sh', ['-c', `${editor} "$1"`, editor, path]];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    const failed = (why: string) =>
      reject(new Failure('failed', `The editor ${editor} ${why}. Set EDITOR to another one.`));
    child.once('error', (error) => failed(`cannot be started: ${error.message}`));
    child.once('exit', (code) =>
      code === 0 ? resolve() : failed(`ended with ${code ?? 'a signal'}: nothing was changed`),
    );
  });
}
