import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './request-context.ts';
import { badRequest, HttpError } from '../response/problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The body of a request. */
export interface JsonBody {
  /** Undefined when there is none. */
  readonly value: unknown;
  /** As it came. */
  readonly bytes: Uint8Array;
}

/**
 * Reads a body that is JSON.
 *
 * @param limit in bytes, also of a body that does not tell its length
 */
export async function readJson({ request, incoming }: RequestContext, limit: number): Promise<JsonBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const bytes = incoming === undefined ? await readStream(request, limit) : await readMessage(incoming, limit);
  if (bytes.length === 0) return { value: undefined, bytes };
  const type = request.headers.get('content-type');
  if (type === null || !JSON_TYPE.test(type)) {
    throw new HttpError('unsupported-media-type', 'The body must be application/json in UTF-8.');
  }
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    throw new HttpError('unsupported-media-type', 'The body must not be compressed.');
  }
  try {
    return { value: JSON.parse(utf8.decode(bytes)), bytes };
  } catch {
    throw badRequest('The body is not well-formed JSON in UTF-8.');
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError('content-too-large', `The body must not be larger than ${limit} bytes.`);
}

function readMessage(message: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      message.off('data', onData).off('end', onEnd).off('close', onClose);
      act();
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      // What is left is read and dropped, so that the client gets to see the answer.
      settle(() => reject(tooLarge(limit)));
      message.resume();
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onClose = () => settle(() => reject(badRequest('The body ended too early.')));
    // Whoever has gone before it was read, is not heard going.
    if (message.closed) onClose();
    else message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

async function readStream(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) throw tooLarge(limit);
  }
  return Buffer.concat(chunks);
}
