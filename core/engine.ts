import { activityLog } from './write/activity-log.ts';
import type { CallEffects, Call, Context, Ports } from './ports/context.ts';
import { RecentStructures } from './changes/recent-structures.ts';
import { Turns } from './changes/turns.ts';
import { WakeUps } from './changes/wake-ups.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import { JobRunner } from './jobs/runner.ts';
import { requireQuotas } from './model/service/quotas.ts';
import { SiblingsCrowded } from './page/place-among.ts';
import { enqueueSiblingRespread } from './page/respread-siblings.ts';
import { ColumnCrowded, enqueueRespread } from './task/place/crowded.ts';
import { provision, ProvisioningRequired } from './user/provision-external-user.ts';
import { withWorkspaceId } from './workspace/resolve-alias.ts';
import { useCases, type UseCases } from './use-cases.ts';

type BoundUseCase<F> = F extends (context: Context, ...rest: infer R) => infer O
  ? (call: Call, ...rest: R) => O
  : never;

/** The use cases bound to their ports: the only inbound port. */
export type Engine = {
  readonly [Noun in keyof UseCases]: { readonly [Verb in keyof UseCases[Noun]]: BoundUseCase<UseCases[Noun][Verb]> };
};

/**
 * Binds the use cases to their ports. It does not validate inputs or run stored jobs: `createEspalier` does.
 *
 * @throws `invalid-input` for invalid quotas
 */
export function createEngine(ports: Ports): Engine {
  requireQuotas(ports.quotas ?? {});
  const logActivity = activityLog(ports);
  const contextOf = contexts(ports);
  const bind = (run: (context: Context, input: never) => Promise<unknown>) => {
    const bound = async (call: Call, input: never): Promise<unknown> => {
      const context = contextOf(call);
      const { store, effects } = context;
      try {
        const named = withWorkspaceId(store, input);
        const given = named instanceof Promise ? await named : named;
        context.workspaceId = (given as { readonly workspaceId?: string } | undefined)?.workspaceId;
        const result = await run(context, given as never);
        logActivity(effects.active);
        return result;
      } catch (error) {
        if (error instanceof ColumnCrowded) await store.write((tx) => enqueueRespread(tx, context, error.place));
        if (error instanceof SiblingsCrowded) {
          await store.write((tx) => enqueueSiblingRespread(tx, context, error.place));
        }
        if (!(error instanceof ProvisioningRequired)) throw error;
        await provision(context, error.caller);
        return await bound(call, input);
      } finally {
        if (effects.jobs) ports.wakeBackground?.();
      }
    };
    return bound;
  };
  return mapVerbs(useCases, bind) as unknown as Engine;
}

/** Makes the context of each call, with what all calls of an engine share. */
function contexts(ports: Ports) {
  const { clock, ids, tokenFactory, quotas, impersonation, keepTrash, guards } = ports;
  const { yieldToEventLoop, yielder, timers } = ports;
  const wakeUps = ports.wakeUps ?? new WakeUps(ports.store, timers);
  const store = wakeUps.observe(ports.store);
  const keepChanges = ports.keepChanges ?? store.keepChanges;
  const recentStructures = ports.recentStructures ?? new RecentStructures();
  const jobs = ports.jobs ?? new JobRunner({ ...ports, keepChanges, store, recentStructures });
  const turns = new Turns(yieldToEventLoop);
  return (call: Call) => {
    const { caller, requestId, ifVersion, idempotencyKey, onCursor } = call;
    const { beforeLargeAnswer, onPassed, leavesComments, signal } = call;
    const effects = newEffects();
    // Built field by field: spreading an object of unknown shape costs more than a small read takes.
    return {
      store,
      clock,
      ids,
      tokenFactory,
      quotas,
      impersonation,
      keepChanges,
      guards,
      keepTrash,
      jobs,
      yieldToEventLoop,
      yielder: yielder && (() => yielder(effects.writes)),
      timers,
      wakeUps,
      caller,
      requestId,
      ifVersion,
      idempotencyKey,
      onCursor,
      beforeLargeAnswer,
      onPassed,
      leavesComments,
      signal,
      recentStructures,
      turns,
      effects,
      workspaceId: undefined as string | undefined,
    };
  };
}

function newEffects(): CallEffects {
  return {
    active: new Set(),
    userId: null,
    expiresAt: null,
    tokenId: null,
    jobs: false,
    secret: false,
    writes: false,
  };
}
