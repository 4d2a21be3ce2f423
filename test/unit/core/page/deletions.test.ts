import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { deletions } from '../../../fixtures/suite/deletions.ts';

describe('deletions', () => {
  deletions(async () => memoryStore());
});
