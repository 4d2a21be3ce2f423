import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { deletions } from '../../../fixtures/deletions.ts';

describe('deletions', () => {
  deletions(async () => memoryStore());
});
