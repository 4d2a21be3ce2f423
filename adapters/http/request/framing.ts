import type { IncomingMessage } from 'node:http';
import { badRequest } from '../response/problem.ts';

/** The most header fields of a request: more than any client or proxy sends. */
const MAX_HEADERS = 100;

/**
 * Refuses requests that a proxy may interpret differently (request smuggling): with a missing or another HTTP version,
 * with two `Host` headers, with a transfer coding other than chunked, which is never decoded here, or with more header
 * fields than servers parse.
 *
 * @throws `invalid-input`
 */
export function requireUnambiguous({ httpVersionMajor, rawHeaders }: IncomingMessage): void {
  if (httpVersionMajor !== 1) throw badRequest('The request must name its version, HTTP/1.1.');
  // Names and values alternate.
  if (rawHeaders.length > MAX_HEADERS * 2) throw badRequest(`There must be no more than ${MAX_HEADERS} header fields.`);
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (is(name, 'host')) hosts += 1;
    if (is(name, 'transfer-encoding') && rawHeaders[i + 1]!.toLowerCase() !== 'chunked')
      throw badRequest('Transfer-Encoding must be chunked, and nothing else.');
  }
  if (hosts > 1) throw badRequest('There must be one Host header.');
}

/** Compares lengths first, as most names differ in length, and converting to lower case is slower. */
function is(name: string, lower: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower;
}
