import type { RequestContext } from './request-context.ts';

/** What parsing a URL changes in the path of a request target: a dot segment, escaped or not, and a backslash. */
const CHANGED = /^[^?#]*?(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))/i;

/**
 * Whether the path is what the client sent. Parsing the URL has resolved dot segments and turned backslashes into
 * slashes, and the router ignores a slash at the end: `task/..`, `task/%2e%2e` and `task/` would address the record
 * that contains the tasks.
 */
export function isExact({ incoming, path }: Pick<RequestContext, 'incoming' | 'path'>): boolean {
  return !path.endsWith('/') && !CHANGED.test(incoming?.url ?? '');
}
