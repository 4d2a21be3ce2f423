import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { imports } from '../../fixtures/suite/imports.ts';

describe('imports of large workspaces', () => {
  imports(async () => memoryStore());
});
