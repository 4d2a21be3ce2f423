import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { codedTag } from './conditional.ts';
import { isParted, type JsonText } from './json.ts';
import type { Coding, Reply } from './reply.ts';
import { byteLength } from './send.ts';

/** By preference: the one with the smallest output first. */
const PREFERRED: readonly Coding[] = ['br', 'gzip'];
/** Bytes below which compression does not pay: such a response fits into a few packets. */
export const MIN_COMPRESSED = 4_096;
/** The most compressions at once; Node's thread pool has four threads by default. */
const MAX_AT_ONCE = 2;
/** The longest Accept-Encoding header that is parsed, in characters. */
const LONGEST_HEADER = 1_000;

const withGzip = promisify(gzip);
const withBrotli = promisify(brotliCompress);

/** The effort: `once` for content that is compressed once and sent many times. */
type Effort = 'once' | 'each';

const GZIP_LEVEL: Readonly<Record<Effort, number>> = { once: 9, each: 4 };
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { once: 9, each: 4 };

/** The size of the parts in which a coder returns a body that it is given in parts, in bytes. */
const PART = 1_048_576;

/** Compresses on a thread of the pool. */
export async function compress(
  body: JsonText,
  coding: Coding,
  effort: Effort,
): Promise<Uint8Array | readonly Uint8Array[]> {
  const level = GZIP_LEVEL[effort];
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
    [constants.BROTLI_PARAM_SIZE_HINT]: byteLength(body),
  };
  if (!isParted(body)) return coding === 'gzip' ? withGzip(body, { level }) : withBrotli(body, { params });
  const coder =
    coding === 'gzip' ? createGzip({ level, chunkSize: PART }) : createBrotliCompress({ params, chunkSize: PART });
  return (Readable.from(body).pipe(coder) as Readable).toArray() as Promise<Uint8Array[]>;
}

let running = 0;

/** The reply, made compressible where compression pays. */
export function compressible(reply: Reply): Reply {
  const { body } = reply;
  if (body === undefined || body instanceof ReadableStream || typeof body === 'function') return reply;
  if (byteLength(body) < MIN_COMPRESSED) return reply;
  return { ...reply, coded: (coding) => compressedNow(body, coding) };
}

/** Null while the most compressions are running: the response is then sent uncompressed instead of waiting. */
async function compressedNow(body: JsonText, coding: Coding): Promise<Uint8Array | readonly Uint8Array[] | null> {
  if (running >= MAX_AT_ONCE) return null;
  running += 1;
  try {
    return await compress(body, coding, 'each');
  } finally {
    running -= 1;
  }
}

/** The published types lack the second argument, the preference among codings of equal quality. */
interface Encodings {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The preferred available coding of an Accept-Encoding header; null for none. */
export function codingFor(header: string | null): Coding | null {
  if (header === null || header.length > LONGEST_HEADER) return null;
  const negotiator: Encodings = new Negotiator({ headers: { 'accept-encoding': header } });
  const coding = negotiator.encoding([...PREFERRED, 'identity'], { preferred: PREFERRED });
  return PREFERRED.find((one) => one === coding) ?? null;
}

/** The reply in the available coding that the client prefers, if any. */
export async function encoded(reply: Reply, header: string | null): Promise<Reply> {
  const coding = reply.coded === undefined ? null : codingFor(header);
  // A reply that cannot be compressed is sent as it is.
  const body = coding === null ? null : await reply.coded!(coding).catch(() => null);
  if (coding === null || body === null) return reply;
  const { etag } = reply.headers ?? {};
  const headers = { ...reply.headers, 'content-encoding': coding, ...(etag && { etag: codedTag(etag, coding) }) };
  return { status: reply.status, headers, body };
}
