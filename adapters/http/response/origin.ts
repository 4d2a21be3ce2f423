/**
 * Whether it is an origin as browsers send it: scheme and host in lower case, the port where it is not that of the scheme,
 * no slash at its end and no pattern; or `null`, that of pages without one.
 */
export function isOrigin(text: string): boolean {
  if (text === 'null') return true;
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}
