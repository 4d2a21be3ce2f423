import type { ServiceIdentifier } from 'inversify';
import type { RecentStructures } from '../../core/changes/recent-structures.ts';
import type { WakeUps } from '../../core/changes/wake-ups.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids, Jobs, TokenFactory } from '../../core/ports/context.ts';
import type { Engine } from '../../core/engine.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Identity } from '../../core/ports/identity.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Background } from './background.ts';
import type { HttpListener } from './listener.ts';
import type { OpenedStore } from './open-store.ts';

/** The service identifiers of the container. Their types check the parameters of factories. */
export const IDENTIFIERS = {
  store: Symbol('store') as ServiceIdentifier<Store>,
  /** The store without metrics. */
  openedStore: Symbol('openedStore') as ServiceIdentifier<OpenedStore>,
  clock: Symbol('clock') as ServiceIdentifier<Clock>,
  ids: Symbol('ids') as ServiceIdentifier<Ids>,
  tokenFactory: Symbol('tokenFactory') as ServiceIdentifier<TokenFactory>,
  identity: Symbol('identity') as ServiceIdentifier<Identity>,
  jobs: Symbol('jobs') as ServiceIdentifier<Jobs>,
  wakeUps: Symbol('wakeUps') as ServiceIdentifier<WakeUps>,
  recentStructures: Symbol('recentStructures') as ServiceIdentifier<RecentStructures>,
  background: Symbol('background') as ServiceIdentifier<Background>,
  engine: Symbol('engine') as ServiceIdentifier<Engine>,
  metrics: Symbol('metrics') as ServiceIdentifier<Metrics>,
  listener: Symbol('listener') as ServiceIdentifier<HttpListener>,
} as const;
