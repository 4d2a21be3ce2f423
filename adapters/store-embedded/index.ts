export type { EmbeddedOptions } from './options.ts';
export { embeddedStore } from './store.ts';
