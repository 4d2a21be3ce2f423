export { createEspalier, type Espalier } from './espalier.ts';
export type { Parts } from './modules.ts';
export { DEFAULT_STORE, openStore, type OpenedStore, type OpenOptions } from './open-store.ts';
export * from '../../core/index.ts';
