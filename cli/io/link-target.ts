import { readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Where symbolic links lead, whether a file is there or not. */
export async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const link = await readlink(path).catch(() => null);
    return link === null ? path : targetOf(resolve(await realpath(dirname(path)), link));
  }
}
