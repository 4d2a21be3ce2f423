export { mongodbStore, type MongodbStoreOptions } from './store.ts';
