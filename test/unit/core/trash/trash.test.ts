import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { trash, trashProperties, trashRules } from '../../../fixtures/trash.ts';

describe('the trash', () => {
  trash(async () => memoryStore());
  trashRules(async () => memoryStore());
  trashProperties(async () => memoryStore(), 20);
});
