import { open } from 'lmdb';
import { join } from 'node:path';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { leavesNothingBehind } from '../../fixtures/suite/left-behind.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('what is removed from the embedded store', function () {
  this.timeout(60_000);
  const path = join(temporaryFolder(), 'store.db');

  leavesNothingBehind('leaves nothing behind', () => ({
    open: async () => embeddedStore({ path, durable: false }),
    async dump() {
      const db = open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: true });
      try {
        return new Map([...db.getRange()].map(({ key, value }) => [key.toString('latin1'), value.toString('latin1')]));
      } finally {
        await db.close();
      }
    },
    stays: [PREFIX.audit, PREFIX.loggedChange, PREFIX.job],
  }));
});
