import { expectOk, jsonOf } from './answer.ts';
import type { HttpRequest } from './request.ts';
import { ROUTES, type OperationRoute } from './routes.ts';

export type Send = (request: HttpRequest) => Promise<Response>;

/**
 * The current version of the record that an operation changes; undefined if it has none.
 *
 * @param path of the request for the change
 * @throws the error of reading the record
 */
export async function currentVersion(
  base: string,
  route: OperationRoute,
  path: string,
  send: Send,
): Promise<number | undefined> {
  const names = path.split('?')[0]!.split('/');
  const source = names.slice(0, depthRead(route)).join('/');
  const request = { method: 'GET', path: source, headers: { accept: 'application/json' }, repeatable: true } as const;
  const read = await jsonOf(base, await expectOk(base, await send(request)));
  return versionIn(read, decodeURIComponent(names.at(-1)!).toLowerCase());
}

/** The path with all parameters named alike: the id of a record may have another name in a longer path. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

const READABLE = new Set(ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => shapeOf(path)));

/** The prefix of the path that can be read: the record itself, or the nearest record that contains it. */
function depthRead({ path }: OperationRoute): number {
  const names = shapeOf(path).split('/');
  let depth = names.length;
  while (depth > 0 && !READABLE.has(names.slice(0, depth).join('/'))) depth -= 1;
  return depth;
}

/** The version of the part with the id, which is in lower case, if it has one, else of the whole record. */
function versionIn(read: unknown, id: string): number | undefined {
  const parts: unknown[] = Array.isArray(read)
    ? read
    : Object.values(read as object)
        .filter(Array.isArray)
        .flat();
  const part = parts.find((one) => (one as { id?: unknown } | null)?.id === id);
  const versions = [part, read].map((one) => (one as { version?: unknown } | undefined)?.version);
  return versions.find((version) => typeof version === 'number');
}
