import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { taskOrderProperties } from './task-order.ts';

/** ESPALIER_SEQUENCES: how many random columns on the memory store. */
const RUNS = Number(process.env['ESPALIER_SEQUENCES'] ?? 40);

describe('the order of tasks', function () {
  this.timeout(120_000);

  describe('on the memory store', () => {
    taskOrderProperties({ open: async () => memoryStore(), runs: RUNS, moves: 25, crowded: 3_000 });
  });

  describe('on the embedded store', () => {
    const folder = temporaryFolder();
    let opened = 0;
    const open = async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false });
    taskOrderProperties({ open, runs: Math.ceil(RUNS / 8), moves: 15, crowded: 1_200 });
  });
});
