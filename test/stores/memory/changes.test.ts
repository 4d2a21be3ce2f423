import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { tellsChanges } from '../../fixtures/changes.ts';

describe('changes, on the memory store', () => tellsChanges(async () => memoryStore()));
