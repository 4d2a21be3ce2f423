import { once } from 'node:events';
import type { Engine } from '../../../core/engine.ts';
import type { WakeUps } from '../../../core/changes/wake-ups.ts';
import type { Service } from '../../../adapters/http/index.ts';
import { primaryOfWorker, type WorkerService } from '../../../adapters/service/cluster/worker.ts';

/** A worker that serves nothing, and waits for a message between the end of its service and its own. */
const primary = primaryOfWorker();
const service = { url: 'http://127.0.0.1:1', close: () => Promise.resolve() } as unknown as Service;
const logger = { info() {}, error() {} } as unknown as WorkerService['logger'];
primary.forwardWrites({} as Engine, {} as WakeUps);
await primary.serve(
  { logger, metricSnapshot: () => Promise.reject(new Error('none')), listen: () => Promise.resolve(service) },
  new AbortController().signal,
);
const asked = once(process, 'end');
process.on('message', (message: object) => void ('end' in message && process.emit('end' as never)));
process.send!({ served: true });
await asked;
primary.disconnect();
