import { existsSync } from 'node:fs';

/** A file of this package, wherever in it the code that asks has been put. */
export function packaged(path: string): URL {
  let folder = new URL('.', import.meta.url);
  // The folder of the bundled program has a package.json as well.
  while (!existsSync(new URL('dist/adapters/', folder))) folder = new URL('..', folder);
  return new URL(path, folder);
}
