/**
 * Whether it is an origin as browsers send it: scheme and host in lower case, a port only if it is not the default of
 * the scheme, no slash at the end and no pattern; or `null`, for pages without an origin.
 */
export function isOrigin(text: string): boolean {
  if (text === 'null') return true;
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}
