import { readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The path to which symbolic links lead, whether or not it exists. */
export async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const link = await readlink(path).catch(() => null);
    return link === null ? path : linkTarget(resolve(await realpath(dirname(path)), link));
  }
}
