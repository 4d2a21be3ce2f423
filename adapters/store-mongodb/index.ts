export { mongodbStore, type MongodbStore, type MongodbStoreOptions } from './store.ts';
