import { nextTurn } from '../event-loop/next-turn.ts';
import { ContainerModule } from 'inversify';
import { RecentStructures } from '../../core/changes/recent-structures.ts';
import { WakeUps } from '../../core/changes/wake-ups.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/context.ts';
import { createEngine } from '../../core/engine.ts';
import type { Guard } from '../../core/write/guards.ts';
import type { JobFailure } from '../../core/jobs/failure.ts';
import { JobRunner } from '../../core/jobs/runner.ts';
import { setKeepChanges } from '../../core/service/keep-changes.ts';
import type { KeepChanges } from '../../core/model/log/kept-changes.ts';
import { requireKeepChanges } from '../../core/model/log/kept-changes.ts';
import { requireKeepTrash } from '../../core/trash/retention.ts';
import type { Quotas } from '../../core/model/service/quotas.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Timers } from '../../core/ports/timers.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { systemTimers } from '../event-loop/timers.ts';
import { SHARE_OF_WRITES } from '../event-loop/loop-share.ts';
import { EventLoopYielder } from '../event-loop/yielder.ts';
import { anyOf, apiTokens, hostIdentity } from '../identity/index.ts';
import { createBackground } from './background.ts';
import { hostClock, hostIds } from './host-ports.ts';
import { uuids } from './ids.ts';
import { IDENTIFIERS } from './identifiers.ts';

/** The parts of an engine that a host may supply. */
export interface Parts {
  /** The store of all records: `memoryStore()`, `embeddedStore(...)`, `mongodbStore(...)` or one of your own. */
  readonly store: Store;
  /** The clock. Default: that of the process. */
  readonly clock?: Clock;
  /** Generates ids of records. Default: UUIDs of version 7, which sort by creation. */
  readonly ids?: Ids;
  /** The timers for calls that wait for changes. Default: those of the process. */
  readonly timers?: Timers;
  /** An identity provider besides API tokens. */
  readonly identity?: Identity;
  /**
   * How much of the change logs to keep. This is stored, for every process on the store. Default: as stored, else 30
   * days and 1,000,000 changes of each workspace, in memory 100,000.
   */
  readonly keepChanges?: KeepChanges;
  /** Limits of this engine besides the quotas of the store: the smaller limit applies. */
  readonly quotas?: Quotas;
  /** False: service administrators may not create tokens for other users. Default: they may. */
  readonly impersonation?: boolean;
  /**
   * Rules of the host. Each is called for each record that a call writes, and may refuse the write (`guard-refused`).
   */
  readonly guards?: readonly Guard[];
  /**
   * How long deleted records stay in the trash, in milliseconds, up to ten years. 0: they are removed at once. Default:
   * as stored, else 30 days.
   */
  readonly keepTrash?: number;
  /**
   * Called when a step of a stored job fails, once per job and cause. The step is retried. The function may be async; what
   * it throws or rejects with is ignored. For a step in the background, it runs in the asynchronous context of
   * `createEspalier`.
   */
  readonly onJobFailure?: (failure: JobFailure) => unknown;
}

/** One per process, so that ids of several engines on one store also sort by creation. */
const systemIds = uuids();
const systemClock: Clock = { now: () => Date.now() };

export function storeModule(store: Store): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.store)
      .toConstantValue(store)
      .onDeactivation(() => store.close());
  });
}

export function systemModule(parts: Pick<Parts, 'clock' | 'ids'>): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.clock).toConstantValue(parts.clock === undefined ? systemClock : hostClock(parts.clock));
    bind(IDENTIFIERS.ids).toConstantValue(parts.ids === undefined ? systemIds : hostIds(parts.ids));
  });
}

export function identityModule(identity?: Identity): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const tokens = apiTokens();
    bind(IDENTIFIERS.tokenFactory).toConstantValue(tokens.tokenFactory);
    bind(IDENTIFIERS.identity).toConstantValue(
      identity === undefined ? tokens.identity : anyOf([tokens.identity, hostIdentity(identity)]),
    );
  });
}

const newYielder = (isInWrite?: boolean): EventLoopYielder =>
  new EventLoopYielder(isInWrite === true ? SHARE_OF_WRITES : undefined);

export function engineModule({
  quotas = {},
  impersonation = true,
  keepTrash,
  guards,
  keepChanges,
  onJobFailure,
  timers = systemTimers,
}: Omit<Parts, 'store' | 'clock' | 'ids' | 'identity'>): ContainerModule {
  requireKeepChanges(keepChanges ?? {});
  if (keepTrash !== undefined) requireKeepTrash(keepTrash);
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.engine)
      .toResolvedValue(
        (store, clock, ids, tokenFactory, jobs, wakeUps, recentStructures, background) =>
          createEngine({
            store,
            clock,
            ids,
            tokenFactory,
            quotas,
            impersonation,
            guards,
            keepTrash,
            jobs,
            timers,
            wakeUps,
            recentStructures,
            wakeBackground: () => background.wake(),
            yieldToEventLoop: nextTurn,
            yielder: newYielder,
          }),
        [
          IDENTIFIERS.store,
          IDENTIFIERS.clock,
          IDENTIFIERS.ids,
          IDENTIFIERS.tokenFactory,
          IDENTIFIERS.jobs,
          IDENTIFIERS.wakeUps,
          IDENTIFIERS.recentStructures,
          IDENTIFIERS.background,
        ],
      )
      .inSingletonScope();
    bind(IDENTIFIERS.jobs)
      .toResolvedValue(
        (store, clock, ids, wakeUps, recentStructures) =>
          new JobRunner({
            store: wakeUps.observe(store),
            clock,
            ids,
            keepChanges: store.keepChanges,
            quotas,
            guards,
            yieldToEventLoop: nextTurn,
            yielder: newYielder,
            onJobFailure,
            recentStructures,
          }),
        [IDENTIFIERS.store, IDENTIFIERS.clock, IDENTIFIERS.ids, IDENTIFIERS.wakeUps, IDENTIFIERS.recentStructures],
      )
      .inSingletonScope();
    bind(IDENTIFIERS.recentStructures)
      .toResolvedValue(() => new RecentStructures(), [])
      .inSingletonScope();
    bind(IDENTIFIERS.wakeUps)
      .toResolvedValue((store) => new WakeUps(store, timers), [IDENTIFIERS.store])
      .inSingletonScope()
      .onDeactivation((wakeUps) => wakeUps.close());
    bind(IDENTIFIERS.background)
      .toResolvedValue(
        (jobs, store, clock, ids) => {
          let isSet = keepChanges === undefined;
          return createBackground(async () => {
            if (!isSet) await setKeepChanges({ store, clock, ids }, keepChanges!);
            isSet = true;
            return jobs.step();
          });
        },
        [IDENTIFIERS.jobs, IDENTIFIERS.store, IDENTIFIERS.clock, IDENTIFIERS.ids],
      )
      .inSingletonScope()
      .onDeactivation((background) => background.stop());
  });
}
