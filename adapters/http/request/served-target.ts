/**
 * A request target as the server below takes it, which answers others without a body and headers of ours: a path, or an
 * absolute URL (RFC 9112, section 3.2.2). Anything else is at no address, like `*`.
 */
export function servedTarget(target: string): string {
  const isServed = target.startsWith('/') || (/^https?:\/\//i.test(target) && URL.canParse(target));
  return isServed ? target : '*';
}
