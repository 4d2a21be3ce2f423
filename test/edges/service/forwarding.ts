import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createEspalier, type Espalier } from '../../../adapters/service/espalier.ts';
import { WriteForwarder } from '../../../adapters/service/cluster/write-forwarder.ts';
import { startWriteServer } from '../../../adapters/service/cluster/write-server.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { WakeUps } from '../../../core/changes/wake-ups.ts';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { wrapEngine, type RunUseCase } from '../../../core/wrap-engine.ts';
import type { Caller } from '../../../core/ports/context.ts';

export const OPERATOR: Caller = { kind: 'operator' };
export const ADA = { name: 'Ada', email: 'ada@example.org' };

/** The engine, the names of the use cases that were run on it, and what they answered. */
export function watched(engine: Engine) {
  const ran: string[] = [];
  const answers: unknown[] = [];
  const watch =
    (run: RunUseCase, name: string): RunUseCase =>
    async (call, input) => {
      ran.push(name);
      const answer = await run(call, input);
      answers.push(answer);
      return answer;
    };
  return { engine: wrapEngine(engine, watch), ran, answers };
}

/** An engine, with a `WakeUps` that observes none of its commits. */
export function writing(engine: Engine) {
  return { engine, wakeUps: new WakeUps(memoryStore()) };
}

export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof EspalierError ? error.code : error),
  );
}

/** A process that forwards writes to others. All work on one store. */
export class Forwarding {
  static #paths = 0;
  readonly espalier: Espalier = createEspalier({ store: memoryStore() });
  forwarder = new WriteForwarder();
  /** What to do at the end of the test, the last first. */
  readonly ends: (() => unknown)[] = [];
  readonly #folder: string;

  /** @param folder for the sockets */
  constructor(folder: string) {
    this.#folder = folder;
  }

  newPath(): string {
    return join(this.#folder, `${(Forwarding.#paths += 1)}.sock`);
  }

  /** Resolves when writes are forwarded: the connection is made. */
  async begin(paths: readonly (string | null)[], engine: Engine): Promise<void> {
    this.forwarder.forwardTo(paths);
    for (const path of paths) {
      if (path === null) continue;
      const probe = connect(path);
      await once(probe, 'connect');
      probe.destroy();
    }
    // A writer has accepted an earlier connection by then, and this process hears of it in the same turn or the next.
    await new Promise((resolve) => setImmediate(resolve));
    await engine.users.list({ caller: OPERATOR }, {});
  }

  async withWriter() {
    const path = this.newPath();
    const there = watched(this.espalier.engine);
    const here = watched(this.espalier.engine);
    const server = await startWriteServer(writing(there.engine), path);
    const engine = this.forwarder.engine(here.engine);
    await this.begin([path], engine);
    here.ran.length = 0;
    return { server, there, here, engine };
  }

  async end(): Promise<void> {
    this.forwarder.forwardTo([]);
    for (const end of this.ends.splice(0).toReversed()) await end();
    await this.espalier.close();
  }
}
