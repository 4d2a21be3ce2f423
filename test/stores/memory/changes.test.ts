import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { tellsChanges } from '../../fixtures/suite/changes.ts';

describe('changes, on the memory store', () => tellsChanges(async () => memoryStore()));
