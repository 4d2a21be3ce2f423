import { Agent, request } from 'node:http';
import type { Shot } from './lua.ts';

const agent = new Agent({ keepAlive: true });

/** What a connection says that the other side has closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

const texts = new WeakMap<object, string>();

/** Written once: what is sent again and again is not to be measured. */
function textOf(body: object): string {
  const text = texts.get(body) ?? JSON.stringify(body);
  texts.set(body, text);
  return text;
}

export interface Answered {
  readonly status: number;
  /** The path where what was made is, where the answer says it. */
  readonly location?: string;
}

/** Lighter than fetch, so that what is measured is not this process. */
export function send(url: string, shot: Shot): Promise<Answered> {
  const { method, path, token, body } = shot;
  const text = body === undefined ? undefined : textOf(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers }, (answer) => {
      answer.resume();
      const { location } = answer.headers;
      const path = location === undefined ? {} : { location: new URL(location, url).pathname };
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, ...path }));
      answer.once('error', reject);
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The service has closed a connection that was idle, in the moment in which it was used again.
      if (sent.reusedSocket && CLOSED.has(error.code)) resolve(send(url, shot));
      else reject(error);
    });
    sent.end(text);
  });
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const CONFLICT = 409;

/** Milliseconds before a request that there was no room for is sent again. */
const REST = 2;

/** Sends it, and again where there was no room yet. */
export async function expectDone(url: string, shot: Shot): Promise<void> {
  for (;;) {
    const { status } = await send(url, shot);
    if (status < 400) return;
    if (status !== CONFLICT) throw new Error(`${shot.path} was answered ${status}.`);
    await pause(REST);
  }
}
