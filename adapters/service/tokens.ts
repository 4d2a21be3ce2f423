import type { ServiceIdentifier } from 'inversify';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids, Jobs, TokenFactory } from '../../core/ports/context.ts';
import type { Engine } from '../../core/engine.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Identity } from '../../core/ports/identity.ts';
import type { Background } from './background.ts';

/** The service identifiers of the container. Their types keep factories and tokens in step. */
export const TOKENS = {
  store: Symbol('store') as ServiceIdentifier<Store>,
  clock: Symbol('clock') as ServiceIdentifier<Clock>,
  ids: Symbol('ids') as ServiceIdentifier<Ids>,
  tokenFactory: Symbol('mint') as ServiceIdentifier<TokenFactory>,
  identity: Symbol('identity') as ServiceIdentifier<Identity>,
  jobs: Symbol('jobs') as ServiceIdentifier<Jobs>,
  background: Symbol('background') as ServiceIdentifier<Background>,
  engine: Symbol('engine') as ServiceIdentifier<Engine>,
} as const;
