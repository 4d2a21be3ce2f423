import type { IncomingMessage } from 'node:http';
import { badRequest } from '../response/problem.ts';

/** More than any client or proxy sends. */
const MOST_HEADERS = 100;

/**
 * Refuses what another server on the way may have read in another sense: a request without a version, one to two
 * hosts, and one with more header fields than servers look at.
 *
 * @throws `invalid-input`
 */
export function requireUnambiguous({ httpVersionMajor, rawHeaders }: IncomingMessage): void {
  if (httpVersionMajor < 1) throw badRequest('The request must name its version, HTTP/1.1.');
  // Names and values by turns.
  if (rawHeaders.length > MOST_HEADERS * 2)
    throw badRequest(`There must be no more than ${MOST_HEADERS} header fields.`);
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw badRequest('There must be one Host header.');
}
