import type { Slice } from '../../../core/kernel/record.ts';
import type { Headers } from './reply.ts';

/** Where a list goes on, as clients see it: opaque. */
export function encodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'utf8').toString('base64url');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What is no cursor becomes empty, for the schema to refuse. */
export function decodeCursor(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}

/** The link to the next part, with all other parameters of this one (RFC 8288), and the total if it was asked for. */
export function pagingHeaders(path: string, search: string, slice: Slice<unknown>): Headers {
  const headers: Record<string, string> = {};
  if (slice.next !== null) {
    const kept = search
      .slice(1)
      .split('&')
      .filter((part) => part !== '' && part.split('=')[0] !== 'cursor')
      // What would end the link.
      .map((part) => part.replaceAll(/[<>"]/g, encodeURIComponent));
    headers['link'] = `<${path}?${[...kept, `cursor=${encodeCursor(slice.next)}`].join('&')}>; rel="next"`;
  }
  if (slice.total !== undefined) headers['x-total-count'] = String(slice.total);
  return headers;
}
