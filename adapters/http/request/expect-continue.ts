import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Notes that the client sends the body when it is asked to (`Expect: 100-continue`, RFC 9110, section 10.1.1). */
export function holdBody(message: IncomingMessage, response: ServerResponse): void {
  waiting.set(message, response);
}

/** Asks a client that waits for it to send the body. */
export function askForBody(message: IncomingMessage): void {
  waiting.get(message)?.writeContinue();
  waiting.delete(message);
}

/** Whether the client was never asked for the body: what comes next on the connection may then be that body. */
export function isBodyHeld(message: IncomingMessage | undefined): boolean {
  return message !== undefined && waiting.has(message);
}
