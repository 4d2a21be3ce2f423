import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { trash, trashProperties } from '../../../fixtures/trash.ts';

describe('the trash', () => {
  trash(async () => memoryStore());
  trashProperties(async () => memoryStore(), 20);
});
