import type { Shot } from '../load/lua.ts';
import { expectDone, pause } from '../load/send.ts';
import { serveCommands } from '../process/worker.ts';

/** Requests that are sent again and again, each kind by itself. */
export interface Requests {
  readonly url: string;
  readonly others: Readonly<Record<'read' | 'write', Shot>>;
}

/** How long each request took, in milliseconds. */
export type Waits = Readonly<Record<'read' | 'write', number[]>>;

/** Milliseconds between an answer and the next request. */
const REST = 2;

let waits: Waits = { read: [], write: [] };
let over = new AbortController();
let clients: Promise<unknown> = Promise.resolve();

/** A client in a process of its own, so that large answers that others read are not part of what it measures. */
const COMMANDS = {
  begin({ url, others }: Requests): void {
    waits = { read: [], write: [] };
    over = new AbortController();
    const { signal } = over;
    const again = async (kind: 'read' | 'write') => {
      do {
        const began = performance.now();
        await expectDone(url, others[kind]);
        waits[kind].push(performance.now() - began);
        await pause(REST);
      } while (!signal.aborted);
    };
    clients = Promise.all([again('read'), again('write')]);
  },
  /** Resolves when the last requests are answered. */
  async stop(): Promise<void> {
    over.abort();
    await clients;
  },
  waits: (): Waits => waits,
};

export type ClientCommands = typeof COMMANDS;

serveCommands(COMMANDS);
