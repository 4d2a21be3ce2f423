import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { beingRemoved } from '../../../fixtures/suite/being-removed.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const folder = temporaryFolder();

describe('being removed, in memory', () => {
  beingRemoved(async () => memoryStore());
});

describe('being removed, embedded', () => {
  beingRemoved(async () => embeddedStore({ path: join(folder, `${randomUUID()}.db`) }));
});
