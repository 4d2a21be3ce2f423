import { pause, send } from './send.ts';
import type { Shot } from './lua.ts';

/** What a request counts as: single records and pages of lists are judged apart from what is large by itself. */
export type Kind = 'read' | 'write' | 'large';

export interface PacedShot extends Shot {
  readonly kind: Kind;
  /** Called with the path that the answer names as the place of what was made. */
  readonly made?: (path: string) => void;
}

export interface PacedOptions {
  readonly url: string;
  readonly clients: number;
  /** Requests of all clients together. */
  readonly perSecond: number;
  readonly seconds: number;
  /** The next request of whichever client is due. */
  readonly next: () => PacedShot;
}

export interface Paced {
  /** Milliseconds of each request. */
  readonly took: Readonly<Record<Kind, readonly number[]>>;
  readonly ended: Promise<void>;
}

/** Clients that send at a given rate in all, each its next request when it is due and the last is answered. */
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
