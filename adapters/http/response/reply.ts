/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** What is answered, whatever server carries it. */
export interface Reply {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
}

export function jsonReply(status: number, body: string | Uint8Array, headers: Headers = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
