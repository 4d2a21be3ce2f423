import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { trash } from '../../fixtures/suite/trash.ts';
import { trashLifetime } from '../../fixtures/suite/trash-lifetime.ts';
import { trashRules } from '../../fixtures/suite/trash-rules.ts';
import { trashTaskPages } from '../../fixtures/suite/trash-task-pages.ts';
import { trashProperties } from '../../fixtures/suite/trash-properties.ts';

describe('the trash, on the embedded store', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let files = 0;
  const open = async () => embeddedStore({ path: join(folder, `${(files += 1)}.db`) });

  trash(open);
  trashRules(open);
  trashTaskPages(open);
  trashLifetime(open);
  trashProperties(open, 2);
});
