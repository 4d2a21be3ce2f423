import { assert, expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { explain, Unexplained } from './check.ts';
import { readEverything, runClients, newSharedWorld } from './concurrent-clients.ts';
import type { Operation } from './operation.ts';
import { DEFECTS, defectiveStore } from './defects.ts';
import { historyOf } from './processes.ts';
import { recorder } from './record.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_HISTORIES: how many runs; ESPALIER_SEED: the first of them. */
const HISTORIES = Number(process.env['ESPALIER_HISTORIES'] ?? 1);
const CALLS = Number(process.env['ESPALIER_CALLS'] ?? 40);
const SEED = firstSeed();

/** A defect may take a few runs to show. */
const RUNS = 5;

describe('recorded histories', function () {
  this.timeout(0);
  const folder = temporaryFolder();

  async function inMemory(store: Store, seed: number, meanwhile = () => {}): Promise<Operation[]> {
    const history: Operation[] = [];
    const by = recorder(store, 'main', history);
    const shared = await newSharedWorld(by, seed);
    meanwhile();
    history.push(...(await runClients(store, shared, { clients: 8, calls: CALLS, seed, name: 'm' })));
    await readEverything(by, shared);
    return history;
  }

  for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
    it(`of eight clients in memory come from one order (seed ${seed})`, async () => {
      const { order } = await explain(await inMemory(memoryStore(), seed));
      assert(order.length > 20);
    });

    it(`of two processes on one file, with eight clients, come from one order (seed ${seed})`, async () => {
      const path = join(folder, `${seed}.db`);
      const store = embeddedStore({ path });
      try {
        const history = await historyOf(store, { path }, { processes: 2, clients: 4, calls: CALLS, seed });
        assert((await explain(history)).order.length > 20);
      } finally {
        await store.close();
      }
    });
  }

  describe('of a store that is wrong are found out:', () => {
    for (const [name, defect] of Object.entries(DEFECTS)) {
      it(name, async () => {
        const runs = Array.from({ length: RUNS }, (_, n) => SEED + n);
        for (const seed of runs) {
          const store = defectiveStore(defect);
          let isSpoilt = false;
          const spoil = () => {
            store.spoil();
            isSpoilt = true;
          };
          const history = await inMemory(store, seed, spoil).catch((error: unknown) => {
            // It may be so wrong that a call fails.
            if (isSpoilt) return null;
            throw error;
          });
          if (history === null || (await isUnexplained(history))) return;
        }
        expect.fail(`nothing was noticed in ${RUNS} runs from seed ${SEED}`);
      });
    }

    it('and none where nothing is wrong', async () => {
      await explain(await inMemory(defectiveStore({}), SEED));
    });

    it('and a search that gives up finds nothing out, and passes nothing', async () => {
      const history = await inMemory(memoryStore(), SEED);
      await rejects(explain(history, 0), (error: unknown) => !(error instanceof Unexplained));
    });

    it('an answer that came before its cause', async () => {
      const history = await inMemory(memoryStore(), SEED);
      const last = history.filter(({ writes, answer }) => writes && answer !== null && 'value' in answer).at(-1)!;
      const early = { ...last, start: history[0]!.start - 2, end: history[0]!.start - 1 };
      await rejects(explain(history.map((one) => (one === last ? early : one))), Unexplained);
    });
  });
});

/** @throws Error when the search gives up: nothing is found out then */
async function isUnexplained(history: readonly Operation[]): Promise<boolean> {
  try {
    await explain(history);
    return false;
  } catch (error) {
    if (error instanceof Unexplained) return true;
    throw error;
  }
}
