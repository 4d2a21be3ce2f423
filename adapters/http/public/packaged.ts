import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { EspalierError } from '../../../core/kernel/errors.ts';

/** Where the package is looked for in each folder: the folder itself, or a package installed in it. */
const PLACES = ['.', 'node_modules/espalier/'];
/** A folder that only this package has: a host may have a `package.json` and a `dist/adapters/` of its own. */
const MARK = 'dist/adapters/http/';

/** The folder of this package; null in a bundled program that was moved out of it. */
function packageFolder(): URL | null {
  // Bundled as CommonJS, a module has only the name of its file.
  const module = (import.meta.url as string | undefined) ?? pathToFileURL(__filename);
  for (let folder = new URL('.', module); ;) {
    const found = PLACES.map((place) => new URL(place, folder)).find((place) => existsSync(new URL(MARK, place)));
    if (found !== undefined) return found;
    const above = new URL('..', folder);
    if (above.href === folder.href) return null;
    folder = above;
  }
}

/**
 * The URL of a file of this package, also from bundled code.
 *
 * @throws `not-found` in a bundled program that was moved out of the package
 */
export function packagedFile(path: string): URL {
  const folder = packageFolder();
  if (folder !== null) return new URL(path, folder);
  throw new EspalierError('not-found', 'This service was bundled, and its package is not installed where it runs.');
}

/** The version of this package; `unknown` in a bundled program that was moved out of it. */
export function packageVersion(): string {
  const folder = packageFolder();
  if (folder === null) return 'unknown';
  return (JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string }).version;
}
