import type { Engine } from '../../core/engine.ts';
import type { Identity } from '../../core/ports/identity.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Service, ServiceOptions } from './options.ts';
import { startService } from './service.ts';

/** What is served: what `createEspalier` gives. */
export interface Served {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly store: Pick<Store, 'ready'>;
}

/** Everything but what is served has a default. */
export type ServeOptions = Partial<Omit<ServiceOptions, 'engine' | 'ready'>>;

/**
 * Starts the HTTP service of an engine. `close()` of what it gives ends it, and leaves the engine open.
 *
 * @example
 * const service = await serve(espalier, { port: 4800 });
 *
 * @throws what listening throws, such as EADDRINUSE
 */
export function serve({ engine, identity, store }: Served, options: ServeOptions = {}): Promise<Service> {
  return startService({ identity, ...options, engine, ready: () => store.ready() });
}
