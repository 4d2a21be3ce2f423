const BEARER = /^Bearer +(\S+)$/i;

/** The bearer token of an Authorization header; undefined when there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
