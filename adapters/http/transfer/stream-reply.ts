import type { Writable } from 'node:stream';
import type { Call } from '../../../core/ports/context.ts';
import type { LinesWriter } from '../../formats/jsonl/index.ts';
import { JSON_LINES } from '../../schemas/http-names.ts';
import { STALL_TIMEOUT, type HttpOptions } from '../options.ts';
import type { ResponseHeaders, Reply } from '../response/reply.ts';
import { backpressureStream } from './backpressure-stream.ts';
import { logCutOff } from './log-cut-off.ts';

/** The items that a use case passes to its sink, and how they are written. */
export interface Streamed<T> {
  /** Its name in logs. */
  readonly name: string;
  readonly produce: (sink: (item: T) => Promise<void> | void) => Promise<unknown>;
  readonly linesTo: (out: Writable) => LinesWriter<T>;
  /** Headers made from the first item. */
  readonly headersOf?: (first: T) => ResponseHeaders;
}

/**
 * Streams the items that a use case passes to its sink as lines. The reply begins with the first item, before which
 * access is checked; when something fails after it, the body is cut off.
 */
export function streamReply<T>(
  options: Pick<HttpOptions, 'stallTimeout' | 'logger'>,
  { requestId }: Call,
  { name, produce, linesTo, headersOf }: Streamed<T>,
): Promise<Reply> {
  const { writable, readable } = backpressureStream(options.stallTimeout ?? STALL_TIMEOUT);
  return new Promise((resolve, reject) => {
    let lines: LinesWriter<T> | undefined;
    const begun = (headers?: ResponseHeaders): LinesWriter<T> => {
      resolve(replyWith(readable, headers));
      return (lines = linesTo(writable));
    };
    const sink = (item: T) => (lines ?? begun(headersOf?.(item))).write(item);
    const all = async () => {
      await produce(sink);
      await (lines ?? begun()).end();
      writable.end();
    };
    all().catch((error: unknown) => {
      reject(error);
      if (lines === undefined) return;
      logCutOff(options.logger, requestId, name, error);
      writable.destroy(error as Error);
    });
  });
}

class FirstItemRead extends Error {}

/** The reply to HEAD: the first item is read, and nothing sent. */
export async function announcedReply<T>({ produce, headersOf }: Streamed<T>): Promise<Reply> {
  let headers: ResponseHeaders | undefined;
  try {
    await produce((item) => {
      headers = headersOf?.(item);
      throw new FirstItemRead();
    });
  } catch (error) {
    if (!(error instanceof FirstItemRead)) throw error;
  }
  return replyWith(new ReadableStream({ start: (controller) => controller.close() }), headers);
}

const replyWith = (body: ReadableStream<Uint8Array>, headers: ResponseHeaders = {}): Reply => ({
  status: 200,
  headers: { 'content-type': JSON_LINES, ...headers },
  body,
});
