import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { codedTag } from './conditional.ts';
import type { Coding, Reply } from './reply.ts';

/** From the one that makes answers smallest on. */
const PREFERRED: readonly Coding[] = ['br', 'gzip'];
/** In bytes. What is smaller fits into a few packets as it is. */
export const LEAST_COMPRESSED = 4_096;
/** Compressions that run at once, of the four threads that Node has for such work. */
const MOST_AT_ONCE = 2;
/** In characters. Nobody has that much to say about codings. */
const LONGEST_HEADER = 1_000;

const withGzip = promisify(gzip);
const withBrotli = promisify(brotliCompress);

/** How much work to put into it: `once` for what is compressed once and sent many times. */
type Effort = 'once' | 'each';

const GZIP_LEVEL: Readonly<Record<Effort, number>> = { once: 9, each: 4 };
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { once: 9, each: 4 };

/** Compresses on another thread. */
export function compress(body: string | Uint8Array, coding: Coding, effort: Effort): Promise<Uint8Array> {
  if (coding === 'gzip') return withGzip(body, { level: GZIP_LEVEL[effort] });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return withBrotli(body, { params });
}

let running = 0;

/** The reply with what it needs to be compressed, where that is worth while. */
export function compressible(reply: Reply): Reply {
  const { body } = reply;
  if (body === undefined || body instanceof ReadableStream || body.length < LEAST_COMPRESSED) return reply;
  return { ...reply, coded: (coding) => compressedNow(body, coding) };
}

/** Null while so many others are being compressed that this one would have to wait: it goes out as it is. */
async function compressedNow(body: string | Uint8Array, coding: Coding): Promise<Uint8Array | null> {
  if (running >= MOST_AT_ONCE) return null;
  running += 1;
  try {
    return await compress(body, coding, 'each');
  } finally {
    running -= 1;
  }
}

/** The published types do not have the second argument: what decides among codings that the client likes as well. */
interface Encodings {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The coding that an Accept-Encoding header likes best of those there are; null for none. */
export function codingFor(header: string | null): Coding | null {
  if (header === null || header.length > LONGEST_HEADER) return null;
  const negotiator: Encodings = new Negotiator({ headers: { 'accept-encoding': header } });
  const coding = negotiator.encoding([...PREFERRED, 'identity'], { preferred: PREFERRED });
  return PREFERRED.find((one) => one === coding) ?? null;
}

/** The reply in the coding that the client likes best, if it can have one. */
export async function encoded(reply: Reply, header: string | null): Promise<Reply> {
  const coding = reply.coded === undefined ? null : codingFor(header);
  // What cannot be compressed goes out as it is.
  const body = coding === null ? null : await reply.coded!(coding).catch(() => null);
  if (coding === null || body === null) return reply;
  const { etag } = reply.headers ?? {};
  const headers = { ...reply.headers, 'content-encoding': coding, ...(etag && { etag: codedTag(etag, coding) }) };
  return { status: reply.status, headers, body };
}
