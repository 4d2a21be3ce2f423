import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { disabling } from '../../../fixtures/suite/disabling.ts';

describe('disabling the owner of very many workspaces', () => {
  disabling(async () => memoryStore());
});
