export { embeddedStore, type EmbeddedOptions } from './store.ts';
