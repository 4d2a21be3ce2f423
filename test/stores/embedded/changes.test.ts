import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { tellsChanges } from '../../fixtures/changes.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('changes, on the embedded store', () => {
  const folder = temporaryFolder();
  let opened = 0;
  tellsChanges(async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false }));
});
