/**
 * A request target in a form that the underlying server accepts: a path, or an absolute URL (RFC 9112, section 3.2.2).
 * Any other target becomes one without a route, like `*`: the server would answer it itself, without the body and
 * headers of errors.
 */
export function servedTarget(target: string): string {
  const isServed = target.startsWith('/') || (/^https?:\/\//i.test(target) && URL.canParse(target));
  return isServed ? target : '*';
}
