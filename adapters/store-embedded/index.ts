export type { EmbeddedOptions, EmbeddedStore } from './options.ts';
export { embeddedStore } from './store.ts';
