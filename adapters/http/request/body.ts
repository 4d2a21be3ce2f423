import { nextTurn } from '../../event-loop/next-turn.ts';
import type { IncomingMessage } from 'node:http';
import type { EspalierError } from '../../../core/kernel/errors.ts';
import { askForBody } from './expect-continue.ts';
import { JsonShape } from './json-shape.ts';
import type { RequestContext } from './request-context.ts';
import { badRequest, HttpError } from '../response/problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The body of a request. */
export interface JsonBody {
  /** Undefined when there is none. */
  readonly value: unknown;
  /** The raw bytes. */
  readonly bytes: Uint8Array;
}

/** Bytes of a body that are read before the caller is looked up. They are quick to parse, whatever their shape is. */
const EARLY = 4_096;

/**
 * Reads a JSON body. Its shape is checked as it arrives, so that a body that would take long to parse is refused
 * unparsed.
 *
 * @param limit in bytes; also enforced without a Content-Length
 * @param confirm looks the caller up in the store; called before more than 4 KiB are read, and not for smaller bodies
 */
export async function readJson(
  context: RequestContext,
  limit: number,
  confirm: () => Promise<void>,
): Promise<JsonBody> {
  const { request, incoming } = context;
  const { headers } = request;
  const length = Number(headers.get('content-length') ?? NaN);
  if (length > limit) throw tooLarge(limit);
  if (length > 0) requireJson(headers);
  const isLong = length > EARLY || headers.has('transfer-encoding');
  if (isLong) await confirm();
  requireUnread(context);
  const bytes =
    incoming === undefined
      ? await readStream(request, limit, isLong ? null : confirm)
      : await readMessage(incoming, limit);
  if (bytes.length === 0) return { value: undefined, bytes };
  if (!(length > 0)) requireJson(headers);
  return { value: await parseJson(bytes), bytes };
}

/**
 * The part of a body that has arrived, in one buffer: a chunk may be a single byte, but takes hundreds if it is kept as
 * it is.
 */
class ReceivedBytes {
  #buffer: Uint8Array = new Uint8Array();
  #size = 0;

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** @returns how many bytes there are */
  add(chunk: Uint8Array): number {
    const before = this.bytes;
    this.#size += chunk.length;
    // Most bodies come in one chunk, which is kept as it is.
    if (before.length === 0) this.#buffer = chunk;
    else {
      if (this.#size > this.#buffer.length) {
        this.#buffer = new Uint8Array(2 * this.#size);
        this.#buffer.set(before);
      }
      this.#buffer.set(chunk, before.length);
    }
    return this.#size;
  }
}

/** Bytes from which a body is parsed in a turn of the event loop of its own: a mebibyte takes some milliseconds. */
const LARGE = 65_536;

/**
 * Parses a body. A large one is parsed in a turn of its own: other work runs after reading it, and before it is checked
 * and used.
 */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  const isLarge = bytes.length > LARGE;
  if (isLarge) await nextTurn();
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw badRequest('The body is not well-formed JSON in UTF-8.');
  }
  if (isLarge) await nextTurn();
  return value;
}

function requireJson(headers: Headers): void {
  const type = headers.get('content-type');
  if (type === null || !JSON_TYPE.test(type)) {
    throw new HttpError('unsupported-media-type', 'The body must be application/json in UTF-8.');
  }
  if (!isUncompressed(headers)) {
    throw new HttpError('unsupported-media-type', 'The body must not be compressed.');
  }
}

/** Whether a body is sent without a content coding. */
export function isUncompressed(headers: Headers): boolean {
  return (headers.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
}

/** @throws `invalid-input` for a body that the host has read or is reading */
export function requireUnread({ request, incoming }: RequestContext): void {
  const isRead = incoming === undefined ? request.bodyUsed || request.body?.locked === true : incoming.readableEnded;
  if (isRead) throw badRequest('The body has already been read: mount the service in front of any body parser.');
}

function endedEarly(): EspalierError {
  return badRequest('The body ended too early.');
}

function tooLarge(limit: number): HttpError {
  return new HttpError('content-too-large', `The body must not be larger than ${limit} bytes.`);
}

function readMessage(message: IncomingMessage, limit: number): Promise<Uint8Array> {
  askForBody(message);
  return new Promise((resolve, reject) => {
    const received = new ReceivedBytes();
    let shape: JsonShape | null = null;
    const settle = (act: () => void) => {
      message.off('data', onData).off('end', onEnd).off('close', onClose);
      act();
    };
    const onData = (chunk: Uint8Array) => {
      const size = received.add(chunk);
      try {
        if (size > limit) throw tooLarge(limit);
        if (shape !== null) shape.add(chunk);
        else if (size > EARLY) {
          shape = new JsonShape(limit);
          shape.add(received.bytes);
        }
      } catch (error) {
        // The rest is read and discarded, so that the client reads the response instead of failing to send.
        settle(() => reject(error));
        message.resume();
      }
    };
    const onEnd = () => settle(() => resolve(received.bytes));
    const onClose = () => settle(() => reject(endedEarly()));
    // No 'close' event fires if the socket closed earlier.
    if (message.closed) onClose();
    else message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** @param confirm null: the caller has been looked up */
async function readStream(request: Request, limit: number, confirm: (() => Promise<void>) | null): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const received = new ReceivedBytes();
  const shape = new JsonShape(limit);
  let isConfirmed = confirm === null;
  for await (const chunk of partsOf(request.body)) {
    const size = received.add(chunk);
    if (size > limit) throw tooLarge(limit);
    shape.add(chunk);
    if (size <= EARLY || isConfirmed) continue;
    await confirm!();
    isConfirmed = true;
  }
  return received.bytes;
}

/** @throws `invalid-input` if the body breaks off */
async function* partsOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch {
    throw endedEarly();
  }
}
