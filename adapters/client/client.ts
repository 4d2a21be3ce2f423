import type { CallOptions, Session } from '../../core/session.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_STRING,
  numberFrom,
  type OptionRule,
  requireOptions,
} from '../../core/kernel/options.ts';
import { requireCallOptions } from '../../core/ports/call-options.ts';
import type { Slice } from '../../core/kernel/record.ts';
import { LONGEST_TIMER } from '../../core/ports/timers.ts';
import { baseOf } from './base-url.ts';
import { matchesNothing, requestOf } from './request.ts';
import { readResult } from './result.ts';
import { CURSOR } from '../schemas/http-names.ts';
import { ROUTES, type OperationRoute } from './routes.ts';
import { sendRequest, sleep } from './send.ts';
import { serviceAt, type TokenFunction, type Transport } from './remote-service.ts';
import { transfers } from './transfer.ts';
import { currentVersion, type Send } from './version.ts';
import { watching } from './watch.ts';

/** The address of a service, and how requests are sent to it. */
export interface ClientOptions extends Partial<Transport> {
  /** The base URL of the service, without `/api`, and without user, query and fragment. */
  readonly url: string;
  /**
   * An API token, or another bearer token that the service accepts; for tokens that expire, a function that gives one.
   * Not empty.
   *
   * The function is called before each request, each retry and each connection of a watch, and the client keeps nothing
   * that it gives. After a 401 it is called once more, and the request is repeated once if it gives another token, except
   * for an import that has begun to be sent.
   *
   * An error of the function ends the call, without a retry: as the `cause` of an `unauthenticated`, or unchanged if it is
   * an `EspalierError`. A function that gives nothing within `timeout` fails with `store-unavailable`, one that gives no
   * string, or an empty one, with `invalid-input`. Its `signal` is aborted when the client stops waiting for it.
   */
  readonly token?: string | TokenFunction;
  /**
   * Whether to use the current version if the service requires `If-Match` and the call names none: the change
   * overwrites. Default false: such a call is refused with the code of the service, `precondition-required`.
   */
  readonly takeCurrentVersion?: boolean;
}

const RULES: Readonly<Record<keyof ClientOptions, OptionRule>> = {
  url: A_STRING,
  token: [
    (value) => (typeof value === 'string' ? value.trim() !== '' : typeof value === 'function'),
    'must be a string that is not empty, or a function that gives one',
  ],
  takeCurrentVersion: A_BOOLEAN,
  fetch: A_FUNCTION,
  retries: numberFrom(0),
  timeout: numberFrom(1, LONGEST_TIMER),
  sleep: A_FUNCTION,
};

/**
 * A session over HTTP, on behalf of the owner of the token. Code that is written against `espalier.as(...)` runs on it
 * unchanged, and gets errors with the same codes. Only `doctor.check` needs the store itself: it is refused with
 * `forbidden`, as are exports, imports and snapshots of whole workspaces in a browser.
 *
 * A request with an unknown outcome is retried only where a repetition has no second effect. That includes an update
 * without `ifVersion`: the retry sets the same values again, and overwrites those that somebody else has set meanwhile.
 *
 * @throws `invalid-input` if the URL is not that of a service, or an option is unknown or of another form; from its
 * calls, `store-unavailable` when the service cannot be reached
 */
export function createClient(options: ClientOptions): Session {
  requireOptions(options, RULES);
  const base = baseOf(options.url);
  const transport: Transport = {
    // Browsers refuse `fetch` when it is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    retries: options.retries ?? 3,
    timeout: options.timeout ?? 30_000,
    sleep: options.sleep ?? sleep,
  };
  const service = serviceAt(base, options.token, transport);
  const send: Send = (request) => sendRequest(service, request);
  const takesCurrent = options.takeCurrentVersion === true;
  const session: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const [noun, verb] = route.useCase.split('.') as [string, string];
    session[noun] ??= {};
    session[noun][verb] = async (given?: object, call: CallOptions = {}): Promise<unknown> => {
      requireCallOptions(call);
      const input = given ?? {};
      const request = requestOf(route, input, call);
      const response = await send(request);
      const version =
        response.status === 428 && takesCurrent ? await currentVersion(base, route, request.path, send) : undefined;
      const based =
        version === undefined ? response : await send(requestOf(route, input, { ...call, ifVersion: [version] }));
      const result = await readResult(route, base, based);
      const cursor = based.headers.get(CURSOR);
      if (cursor !== null) call.onCursor?.(cursor);
      return asksForNothing(route, input) ? empty(result) : result;
    };
  }
  const { exports, imports, snapshot } = transfers(service);
  session['exports'] = { ...session['exports'], ...exports };
  session['imports'] = { ...session['imports'], ...imports };
  const watch = watching(service, () => session as unknown as Session);
  session['changes'] = { ...session['changes'], snapshot, watch };
  const check = () =>
    Promise.reject(
      new EspalierError('forbidden', 'The doctor needs direct access to a store: run it where the store is.'),
    );
  session['doctor'] = { check };
  return session as unknown as Session;
}

/** Whether one of its filters matches nothing. */
function asksForNothing({ paged }: OperationRoute, input: object): boolean {
  const isFilter = (name: string) =>
    name !== 'sort' && name !== 'expand' && name !== 'include' && !name.startsWith('exclude');
  return paged === true && Object.entries(input).some(([name, value]) => isFilter(name) && matchesNothing(value));
}

/** The request is sent all the same, to check that the caller may. */
function empty(result: unknown): Slice<never> {
  return {
    ...(result as Slice<never>),
    items: [],
    next: null,
    ...((result as Slice<unknown>).total === undefined ? {} : { total: 0 }),
  };
}
