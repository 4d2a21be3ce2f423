import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { externalUsers } from './external-users.ts';

const folder = temporaryFolder();

describe('external users, in memory', () => {
  externalUsers(async () => memoryStore());
});

describe('external users, embedded', () => {
  externalUsers(async () => embeddedStore({ path: join(folder, `${randomUUID()}.db`) }));
});
