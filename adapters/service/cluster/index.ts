export { startWorkers } from './workers.ts';
export { primaryOfWorker } from './worker.ts';
