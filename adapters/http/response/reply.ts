/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A content coding (RFC 9110, section 8.4.1) that answers can have. */
export type Coding = 'br' | 'gzip';

/** What is answered, whatever server carries it. */
export interface Reply {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
  /** Gives the body in a coding, or null when it cannot be had now. Absent: the body goes out as it is. */
  readonly coded?: (coding: Coding) => Promise<Uint8Array | null>;
}

export function jsonReply(status: number, body: string | Uint8Array, headers: Headers = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** Says that the answer depends on one more header of the request. @param marks headers of the answer */
export function varyBy(marks: Record<string, string>, name: string): void {
  marks['vary'] = marks['vary'] === undefined ? name : `${marks['vary']}, ${name}`;
}
