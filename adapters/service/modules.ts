import { ContainerModule } from 'inversify';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/context.ts';
import { createEngine } from '../../core/engine.ts';
import type { Quotas } from '../../core/model/quotas.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { anyOf, apiTokens } from '../identity/index.ts';
import { createBackground } from './background.ts';
import { uuids } from './ids.ts';
import { TOKENS } from './tokens.ts';

/** The parts of an engine that a host can supply. */
export interface Parts {
  readonly store: Store;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** An identity provider beside API tokens. */
  readonly identity?: Identity;
  /** Upper limits. Default: none but the depth of pages. */
  readonly quotas?: Quotas;
}

/** One for the process, so that ids of several engines on one store also sort by creation. */
const systemIds = uuids();
const systemClock: Clock = { now: () => Date.now() };

export function storeModule(store: Store): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.store).toConstantValue(store);
  });
}

export function systemModule(parts: Pick<Parts, 'clock' | 'ids'>): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.clock).toConstantValue(parts.clock ?? systemClock);
    bind(TOKENS.ids).toConstantValue(parts.ids ?? systemIds);
    bind(TOKENS.background).toResolvedValue(createBackground).inSingletonScope();
  });
}

export function identityModule(identity?: Identity): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const tokens = apiTokens();
    bind(TOKENS.tokenFactory).toConstantValue(tokens.tokenFactory);
    bind(TOKENS.identity).toConstantValue(
      identity === undefined ? tokens.identity : anyOf([tokens.identity, identity]),
    );
  });
}

export function engineModule(quotas: Quotas = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.engine)
      .toResolvedValue(
        (store, clock, ids, tokenFactory, background) =>
          createEngine({
            store,
            clock,
            ids,
            tokenFactory,
            ...(Object.keys(quotas).length > 0 && { quotas }),
            runInBackground: (step) => background.defer(step),
            yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
          }),
        [TOKENS.store, TOKENS.clock, TOKENS.ids, TOKENS.tokenFactory, TOKENS.background],
      )
      .inSingletonScope();
  });
}
