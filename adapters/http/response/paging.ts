import { invalid } from '../../../core/kernel/errors.ts';
import type { Slice } from '../../../core/kernel/record.ts';
import type { Operation } from '../../schemas/index.ts';
import type { ResponseHeaders } from './reply.ts';

/** Encodes a cursor for clients; opaque to them. */
export function encodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'utf8').toString('base64url');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws `invalid-input` for a text that `encodeCursor` has not made */
export function decodeCursor(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  try {
    if (bytes.toString('base64url') === text) return utf8.decode(bytes);
  } catch {
    // The bytes are not UTF-8.
  }
  throw invalid('/cursor', 'is not a cursor of this list');
}

/**
 * Sets `Link` with the URL of the next page (RFC 8288), all other parameters repeated, and `X-Total-Count` where asked for.
 *
 * @param resumedBy the parameter of the next page. Cursors of changes are opaque texts already
 */
export function pagingHeaders(
  path: string,
  search: string,
  slice: Slice<unknown>,
  resumedBy: Operation['resumedBy'],
): ResponseHeaders {
  const headers: Record<string, string> = {};
  if (slice.next !== null) {
    const kept = search
      .slice(1)
      .split('&')
      // Each is a parameter of the list, so that its name can be decoded.
      .filter((part) => part !== '' && decodeURIComponent(part.split('=')[0]!) !== resumedBy)
      // These characters would end the URL in the header.
      .map((part) => part.replaceAll(/[<>"]/g, encodeURIComponent));
    const next = resumedBy === 'cursor' ? encodeCursor(slice.next) : slice.next;
    headers['link'] = `<${path}?${[...kept, `${resumedBy}=${next}`].join('&')}>; rel="next"`;
  }
  if (slice.total !== undefined) headers['x-total-count'] = String(slice.total);
  return headers;
}
