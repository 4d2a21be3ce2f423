import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Marks a request whose client waits before sending the body (`Expect: 100-continue`, RFC 9110, section 10.1.1). */
export function markAwaitingContinue(message: IncomingMessage, response: ServerResponse): void {
  waiting.set(message, response);
}

/** Sends `100 Continue` to a waiting client. */
export function askForBody(message: IncomingMessage): void {
  waiting.get(message)?.writeContinue();
  waiting.delete(message);
}

/** Whether `100 Continue` was never sent: the next bytes on the connection may then be the body. */
export function isAwaitingContinue(message: IncomingMessage | undefined): boolean {
  return message !== undefined && waiting.has(message);
}
