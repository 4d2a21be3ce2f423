import type { RequestContext } from './request-context.ts';

/** A dot segment in the path of a request target, escaped or not. Parsing a URL takes a backslash as a slash. */
const DOT_SEGMENT = /^[^?#]*?[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/**
 * Whether the path is what the client sent. Parsing the URL has resolved dot segments, and the router ignores a slash at the
 * end, so that `task/..`, `task/%2e%2e` and `task/` would be the record above the task that they seem to name.
 */
export function isExact({ incoming, path }: Pick<RequestContext, 'incoming' | 'path'>): boolean {
  return !path.endsWith('/') && !DOT_SEGMENT.test(incoming?.url ?? '');
}
