export { createClient, type ClientOptions } from './client.ts';
