import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { membershipEnd } from '../../../fixtures/suite/membership-end.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const folder = temporaryFolder();

describe('a member who leaves, in memory', () => {
  membershipEnd(async () => memoryStore());
});

describe('a member who leaves, embedded', () => {
  membershipEnd(async () => embeddedStore({ path: join(folder, `${randomUUID()}.db`) }));
});
