import { readFileSync } from 'node:fs';

let known: string | null = null;

/** The version of the package; this file runs from `dist/cli`. */
export function version(): string {
  known ??= read();
  return known;
}

function read(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
