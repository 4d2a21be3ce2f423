import { existsSync, readFileSync } from 'node:fs';

/** The URL of a file of this package, also from bundled code. */
export function packagedFile(path: string): URL {
  let folder = new URL('.', import.meta.url);
  // The folder of the bundled program has a package.json too, so `dist/adapters/` is looked for.
  while (!existsSync(new URL('dist/adapters/', folder))) folder = new URL('..', folder);
  return new URL(path, folder);
}

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagedFile('package.json'), 'utf8')) as { version: string }).version;
}
