import type { Caller } from '../../../core/ports/context.ts';
import type { Engine } from '../../../core/engine.ts';
import { forbidden, unauthenticated } from '../../../core/kernel/errors.ts';
import type { Identity } from '../../../core/ports/identity.ts';
import type { RequestContext } from './request-context.ts';
import type { ServiceLimits } from '../limits/limits.ts';

/** Authenticates the caller of a request. */
export interface Authentication {
  /**
   * The caller from the Authorization header alone, without reading the store.
   *
   * @throws `unauthenticated`, `too-many-requests`
   */
  callerOf(context: RequestContext): Promise<Caller>;
  /** Looks the caller up in the store. @throws `unauthenticated` */
  confirm(caller: Caller): Promise<void>;
  /** @throws `unauthenticated`, `forbidden` */
  requireAdministrator(caller: Caller): Promise<void>;
}

export function authenticationOf(engine: Engine, identity: Identity, limits: ServiceLimits): Authentication {
  const callerOf = async (context: RequestContext) => {
    const admitted = limits.admit(context);
    if (admitted !== undefined) await admitted;
    const caller = await identity.authenticate(context.request.headers.get('authorization') ?? undefined);
    if (caller === null) throw unauthenticated();
    const counted = limits.count(context, caller);
    if (counted !== undefined) await counted;
    return caller;
  };
  return {
    callerOf,
    async confirm(caller) {
      if (caller.kind !== 'operator') await engine.me.get({ caller });
    },
    async requireAdministrator(caller) {
      if (caller.kind === 'operator') return;
      const user = await engine.me.get({ caller });
      if (!user.administrator) throw forbidden('This needs a service administrator.');
    },
  };
}
