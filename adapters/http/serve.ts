import type { Engine } from '../../core/engine.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { invalid } from '../../core/kernel/errors.ts';
import { requireObject } from '../../core/kernel/options.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Service, ServiceOptions } from './options.ts';
import { startService } from './service.ts';

/** What `serve` serves: the result of `createEspalier`. */
export interface Served {
  /** The engine whose use cases are served. */
  readonly engine: Engine;
  /** Authenticates requests. */
  readonly identity: Identity;
  /** The store, for `/readyz`. */
  readonly store: Pick<Store, 'ready'>;
}

/** The options of `serve`. Each has a default. */
export type ServeOptions = Partial<Omit<ServiceOptions, 'engine' | 'ready'>>;

/**
 * Starts the HTTP service of an engine. `close()` of the result ends it, and leaves the engine open.
 *
 * @example const service = await serve(espalier, { port: 4800 });
 *
 * @throws `invalid-input` for options that are unknown or of another form
 * @throws what listening throws, such as EADDRINUSE
 */
export async function serve(served: Served, options: ServeOptions = {}): Promise<Service> {
  const { engine, identity, store } = requireServed(served);
  // Spreading a value that is no object yields nothing: a port alone would be taken for no options.
  requireObject(options);
  return startService({ identity, ...options, engine, ready: () => store.ready() });
}

function requireServed(served: unknown): Served {
  const { engine, store } = { ...(served as Partial<Served> | null | undefined) };
  if (engine === undefined || typeof store?.ready !== 'function')
    throw invalid('', 'must be the result of createEspalier');
  return served as Served;
}
