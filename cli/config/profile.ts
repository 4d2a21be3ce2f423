import { access, constants, type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure, usage } from '../io/failure.ts';
import type { Io } from '../io/io.ts';
import { linkTarget } from '../io/link-target.ts';
import { refusePipe } from '../io/open-file.ts';

/** Settings by name, as stored in the profile file. */
export type Profile = Readonly<Record<string, string>>;

export interface ProfileFile {
  /** The profile used if none is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const DEFAULT_PROFILE = 'default';

/** The path of the profile file; null without a home directory. */
export function profilePath(env: Io['env']): string | null {
  const home = env['XDG_CONFIG_HOME'] || (env['HOME'] ? join(env['HOME'], '.config') : undefined);
  return home === undefined ? null : join(home, 'espalier', 'config.json');
}

/** The target of a profile: a store with a user, or a service with a token. */
export type ProfileTarget =
  | { readonly store: string; readonly as: string }
  | { readonly url: string; readonly token: string };

/**
 * The profile file with this target in the profile, and with this profile as the current one. Settings of another
 * target are removed, as no command accepts a profile that names both a store and a service.
 */
export function withTarget({ profiles }: ProfileFile, name: string, target: ProfileTarget): ProfileFile {
  const before: Profile = Object.hasOwn(profiles, name) ? profiles[name]! : {};
  const { store, as: _, url, token: __, workspace, ...kept } = before;
  const isSame = 'url' in target ? target.url === url : target.store === store;
  const stays: Profile = isSame && workspace !== undefined ? { workspace } : {};
  return { current: name, profiles: { ...profiles, [name]: { ...kept, ...stays, ...target } } };
}

export async function readProfiles(path: string | null): Promise<ProfileFile> {
  const empty = { current: DEFAULT_PROFILE, profiles: {} };
  if (path === null) return empty;
  await refusePipe(path, `The profile file ${path}`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The home directory of a system account may be /dev/null.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new Failure('failed', `The profile file ${path} cannot be read: ${error.message}`);
  });
  if (text === null) return empty;
  try {
    return checked(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new Failure('usage', `The profile file ${path} is damaged: ${(error as Error).message}`, [
      'Fix it, or delete it and run `espalier config set` again.',
    ]);
  }
}

/**
 * The name of a profile that is written.
 *
 * @param flag the option that it comes from.
 * @throws a usage failure for an empty name, which `--profile` cannot name
 */
export function profileName(name: string, flag: string): string {
  if (name === '') throw usage(`${flag} takes the name of a profile, not "".`);
  return name;
}

/**
 * Changes the file, one process at a time, and keeps it private to its owner, as it may hold a token. For a symbolic
 * link, its target is changed.
 *
 * @param work gets the content of the file. If it throws, the file is left unchanged
 * @throws a failure for a file that cannot be written, and if another process does not end its change within 5 s
 */
export function changeProfiles(path: string | null, work: (file: ProfileFile) => ProfileFile): Promise<void> {
  return atProfiles(path, (target) => changeAlone(target, work));
}

/**
 * For a command that does something else before it changes the file.
 *
 * @throws as {@link changeProfiles} and {@link readProfiles} would
 */
export function requireChangeableProfiles(path: string | null): Promise<void> {
  return atProfiles(path, async (target) => {
    await access(dirname(target), constants.W_OK);
    await readProfiles(target);
  });
}

/** @param work gets the path of the file itself, in a folder that exists */
async function atProfiles(path: string | null, work: (target: string) => Promise<void>): Promise<void> {
  if (path === null) throw new Failure('usage', 'No folder for profiles: set HOME or XDG_CONFIG_HOME.');
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await work(await linkTarget(path));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const hint = 'Set XDG_CONFIG_HOME to a writable folder.';
    throw new Failure('failed', `The profile file ${path} cannot be written: ${error.message}`, [hint], {
      cause: error,
    });
  }
}

async function changeAlone(target: string, work: (file: ProfileFile) => ProfileFile): Promise<void> {
  const next = `${target}.lock`;
  const handle = await alone(next);
  try {
    // A umask may have removed permissions.
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(work(await readProfiles(target)), null, 2)}\n`);
    await handle.sync();
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Creates the next version of the file exclusively: it waits while another process has one. */
async function alone(next: string): Promise<FileHandle> {
  for (let tries = 0; ; tries++) {
    try {
      return await open(next, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (tries === 200) {
        throw new Failure('failed', `Another process is changing the profile file: ${next} exists.`, [
          'If no other espalier is running, delete that file.',
        ]);
      }
      await setTimeout(25);
    }
  }
}

function checked(value: unknown): ProfileFile {
  const { current, profiles } = isRecord(value) ? (value as Partial<ProfileFile>) : {};
  if (typeof current !== 'string' || !isRecord(profiles)) throw new Error('it needs "current" and "profiles"');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile) || !Object.values(profile).every((setting) => typeof setting === 'string')) {
      throw new Error(`profile ${JSON.stringify(name)} must contain only strings`);
    }
  }
  return { current, profiles };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
