import type { Handler } from '../request/request-context.ts';
import { compress, MIN_COMPRESSED } from './compression.ts';
import { entityTag, knownTag } from './conditional.ts';
import { requireAcceptable } from './negotiation.ts';
import { varyBy, type Coding, type ResponseHeaders, type Reply } from './reply.ts';

interface StaticFile extends Pick<Reply, 'coded'> {
  readonly body: Uint8Array;
  readonly etag: string;
}

export interface StaticOptions {
  /** The media type, without parameters. */
  readonly type: string;
  readonly headers?: ResponseHeaders;
  /** Whether the Accept header is checked. */
  readonly negotiated?: boolean;
}

/**
 * Serves the same bytes to everyone. They are built at the first request, compressed once per coding, and shared by all
 * responses. If building them fails, the next request tries again.
 */
export function staticHandler(
  load: () => string | Promise<string>,
  { type, headers = {}, negotiated = false }: StaticOptions,
): Handler {
  let loaded: Promise<StaticFile> | undefined;
  const contentType = type === 'application/json' ? type : `${type}; charset=utf-8`;
  return async ({ request, responseHeaders }) => {
    if (negotiated) requireAcceptable(request, type);
    varyBy(responseHeaders, 'Accept-Encoding');
    loaded ??= loadedBy(load, () => (loaded = undefined));
    const { etag, ...file } = await loaded;
    const common = { 'content-type': contentType, 'cache-control': 'public, no-cache', ...headers };
    const known = knownTag(request.headers.get('if-none-match'), etag);
    if (known !== null) return { status: 304, headers: { ...common, etag: known } };
    return { status: 200, headers: { ...common, etag }, ...file };
  };
}

/** @param failed called if it cannot be read, as while there are no file descriptors left */
async function loadedBy(load: () => string | Promise<string>, failed: () => void): Promise<StaticFile> {
  try {
    return staticFile(await load());
  } catch (error) {
    failed();
    throw error;
  }
}

function staticFile(text: string): StaticFile {
  const body = Buffer.from(text);
  const etag = entityTag({}, text);
  if (body.length < MIN_COMPRESSED) return { body, etag };
  const made = new Map<Coding, Promise<Uint8Array | readonly Uint8Array[]>>();
  const coded = (coding: Coding): Promise<Uint8Array | readonly Uint8Array[]> => {
    const known = made.get(coding) ?? compress(body, coding, 'once');
    made.set(coding, known);
    return known;
  };
  return { body, etag, coded };
}
