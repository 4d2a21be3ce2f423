import { pause, send } from './send.ts';
import type { Shot } from './lua.ts';

/** The class of a request: single records and pages of lists are judged separately from large requests. */
export type Kind = 'read' | 'write' | 'large';

export interface PacedShot extends Shot {
  readonly kind: Kind;
  /** Called with the path of a created record, which the answer names. */
  readonly made?: (path: string) => void;
}

export interface PacedOptions {
  readonly url: string;
  readonly clients: number;
  /** Requests of all clients together. */
  readonly perSecond: number;
  readonly seconds: number;
  /** The next request of the client that is due. */
  readonly next: () => PacedShot;
}

export interface Paced {
  /** The time of each request, in milliseconds. */
  readonly took: Readonly<Record<Kind, readonly number[]>>;
  readonly ended: Promise<void>;
}

/**
 * Clients that together send at a given rate. Each sends its next request when it is due and the last one was answered.
 */
export function paced({ url, clients, perSecond, seconds, next }: PacedOptions): Paced {
  const took: Record<Kind, number[]> = { read: [], write: [], large: [] };
  const period = (clients * 1000) / perSecond;
  const began = performance.now();
  const end = began + seconds * 1000;

  async function client(number: number): Promise<void> {
    for (let due = began + (period * number) / clients; due < end; due = Math.max(due + period, performance.now())) {
      await pause(due - performance.now());
      const { kind, made, ...shot } = next();
      const sent = performance.now();
      const { status, location } = await send(url, shot);
      const lasted = performance.now() - sent;
      if (status >= 400) throw new Error(`${shot.method} ${shot.path} was answered ${status}.`);
      if (location !== undefined) made?.(location);
      took[kind].push(lasted);
    }
  }

  return {
    took,
    ended: Promise.all(Array.from({ length: clients }, (_, number) => client(number))).then(() => {}),
  };
}
