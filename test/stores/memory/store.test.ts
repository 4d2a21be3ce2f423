import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { storeContract } from '../../contract/index.ts';

/** ESPALIER_RUNS: how often each random test is run. */
const runs = Number(process.env['ESPALIER_RUNS'] ?? 25);

storeContract({ name: 'memory', open: async () => memoryStore(), runs });
