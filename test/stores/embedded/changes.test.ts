import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { tellsChanges } from '../../fixtures/suite/changes.ts';
import { startReaderService } from '../../fixtures/process/reader-service.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { forSeeds } from '../../contract/random.ts';
import { followLate } from '../../proofs/property/follow/follow-late.ts';
import { tellsOfPassingPages } from '../../proofs/property/follow/passing-pages.ts';

/** ESPALIER_LATE: how many random readers follow through a service while this process writes. */
const LATE = Number(process.env['ESPALIER_LATE'] ?? 8);

describe('changes, on the embedded store', () => {
  const folder = temporaryFolder();
  let opened = 0;
  tellsChanges(async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false }));

  tellsOfPassingPages(async () => {
    const path = join(folder, `${(opened += 1)}.db`);
    return [embeddedStore({ path, durable: false }), async () => embeddedStore({ path, durable: false })];
  });

  it('lead a reader to what they see through the service of another process, while this one writes', async function () {
    this.timeout(0);
    const reader = startReaderService();
    try {
      await forSeeds(LATE, async (_, seed) => {
        const path = join(folder, `${(opened += 1)}.db`);
        const store = embeddedStore({ path, durable: false });
        await followLate(store, seed, await reader.serve(`file:${path}`));
        await store.close();
      });
    } finally {
      await reader.close();
    }
  });
});
