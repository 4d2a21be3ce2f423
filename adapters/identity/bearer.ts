const BEARER = /^Bearer +(\S+)$/i;

/** What an Authorization header bears; undefined when it bears nothing. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
