import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { tellsChanges } from '../../fixtures/changes.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { tellsOfPassingPages } from '../../proofs/property/passing-pages.ts';

describe('changes, on the embedded store', () => {
  const folder = temporaryFolder();
  let opened = 0;
  tellsChanges(async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false }));

  tellsOfPassingPages(async () => {
    const path = join(folder, `${(opened += 1)}.db`);
    return [embeddedStore({ path, durable: false }), async () => embeddedStore({ path, durable: false })];
  });
});
