import { createHash } from 'node:crypto';
import { askForBody } from '../request/expect-continue.ts';
import { requireUnread } from '../request/body.ts';
import type { RequestContext } from '../request/request-context.ts';
import { badRequest, HttpError } from '../response/problem.ts';

/** The body of a request as a stream. */
export interface Upload {
  readonly parts: AsyncIterable<Uint8Array>;
  /** Digest of the whole body, after it has been read. */
  digest(): string;
}

/**
 * @param limit in bytes; also enforced without a Content-Length
 * @param stallTimeout how long the client may send nothing, in milliseconds
 */
export function uploadOf(context: RequestContext, limit: number, stallTimeout: number): Upload {
  if (Number(context.request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  requireUnread(context);
  const hash = createHash('sha256');
  let digest: string | undefined;
  async function* parts(): AsyncIterableIterator<Uint8Array> {
    let size = 0;
    if (context.incoming !== undefined) askForBody(context.incoming);
    const source = sourceOf(context)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await inTime(source.next(), stallTimeout);
      if (done === true) return;
      size += value.length;
      if (size > limit) throw tooLarge(limit);
      hash.update(value);
      yield value;
    }
  }
  return { parts: parts(), digest: () => (digest ??= hash.digest('base64url')) };
}

/** Keeps the connection open when the body is not read to its end, so that the client reads the response. */
function sourceOf({ incoming, request }: RequestContext): AsyncIterable<Uint8Array> {
  if (incoming !== undefined) return { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) };
  return (request.body ?? []) as AsyncIterable<Uint8Array>;
}

async function inTime<T>(next: Promise<T>, timeout: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(badRequest('The body has stopped arriving.')), timeout);
  });
  const ended = next.catch(() => {
    throw badRequest('The body ended too early.');
  });
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError('content-too-large', `The body must not be larger than ${limit} bytes.`);
}
