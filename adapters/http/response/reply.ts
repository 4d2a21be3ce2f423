import type { JsonText } from './json.ts';

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** A content coding (RFC 9110, section 8.4.1) that answers can have. */
export type Coding = 'br' | 'gzip';

/** Where a streamed body is written, in the order of the calls. */
export interface Outlet {
  /** Resolves when the operating system has taken the text, or the client has gone. */
  write(text: string | Uint8Array): Promise<void>;
  /**
   * Writes ASCII text, unless earlier text still waits in this process; then it does nothing. Costs less than `write`.
   */
  offer(text: string): void;
  /** Ends the response after what was written. */
  end(): void;
  /** Ends the response at once, and drops what still waits in this process. */
  cut(): void;
  /** Calls back once when the response has ended, or the client has gone: at once if that has happened already. */
  onClose(run: () => void): void;
}

/** Writes a streamed body. */
export type WriteBody = (outlet: Outlet) => void;

/** A response, independent of the server that sends it. */
export interface Reply {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly body?: JsonText | ReadableStream<Uint8Array> | WriteBody;
  /** Encodes the body in a coding; null when that is not possible now. Absent: the body is sent as it is. */
  readonly coded?: (coding: Coding) => Promise<Uint8Array | readonly Uint8Array[] | null>;
}

export function jsonReply(status: number, body: JsonText, headers: ResponseHeaders = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** Adds a request header to `Vary`. @param responseHeaders headers of the response */
export function varyBy(responseHeaders: Record<string, string>, name: string): void {
  responseHeaders['vary'] = responseHeaders['vary'] === undefined ? name : `${responseHeaders['vary']}, ${name}`;
}
