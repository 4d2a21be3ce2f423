import {
  A_BOOLEAN,
  A_FUNCTION,
  A_STRING,
  AN_OBJECT,
  numberFrom,
  type OptionRule,
  requireOptions,
  withFunctions,
} from '../../core/kernel/options.ts';
import { IDENTITY } from '../../core/ports/identity.ts';
import { LONGEST_TIMER, TIMERS } from '../../core/ports/timers.ts';
import { BASE_PATH_FORM, isBasePath } from './base-path.ts';
import { isProxy } from './request/address.ts';
import { isOrigin } from './response/origin.ts';
import type { HttpOptions, LimitOptions, ServiceOptions } from './options.ts';
import type { StreamLimits } from './stream/event-streams.ts';

/** A timeout of 0 would leave no time for any data; for some timeouts of Node, 0 means none. */
const A_TIMEOUT = numberFrom(1, LONGEST_TIMER);

const OF_APP: Readonly<Record<keyof HttpOptions, OptionRule>> = {
  engine: AN_OBJECT,
  identity: IDENTITY,
  ready: A_FUNCTION,
  metrics: AN_OBJECT,
  logger: withFunctions('an object with functions info(fields, message) and error(fields, message)', 'info', 'error'),
  bodyLimit: numberFrom(0),
  importLimit: numberFrom(0),
  stallTimeout: A_TIMEOUT,
  compression: A_BOOLEAN,
  board: A_BOOLEAN,
  basePath: [(value) => typeof value === 'string' && isBasePath(value), `must be ${BASE_PATH_FORM}`],
  requireIfMatch: A_BOOLEAN,
  limits: AN_OBJECT,
  waits: AN_OBJECT,
  streams: AN_OBJECT,
  timers: TIMERS,
  limiter: A_FUNCTION,
  trustedProxies: listOf(isProxy, 'addresses or networks such as 10.0.0.0/8'),
  corsOrigins: listOf(
    (origin) => origin === '*' || isOrigin(origin),
    'origins as browsers send them, such as https://app.example.org, or *',
  ),
};

const OF_SERVICE: Readonly<Record<keyof ServiceOptions, OptionRule>> = {
  ...OF_APP,
  host: A_STRING,
  port: numberFrom(0, 65_535),
  drainTimeout: numberFrom(0, LONGEST_TIMER),
  idleGrace: numberFrom(0, LONGEST_TIMER),
  maxConnections: numberFrom(1),
  unreadLimit: numberFrom(0),
  requestTimeout: A_TIMEOUT,
};

const PER_MINUTE: Readonly<Record<keyof LimitOptions, OptionRule>> = {
  requestsPerMinute: numberFrom(1),
  failuresPerMinute: numberFrom(1),
  unknownInvitationsPerMinute: numberFrom(1),
};

const AT_ONCE: Readonly<Record<keyof StreamLimits, OptionRule>> = {
  perUser: numberFrom(0),
  perProcess: numberFrom(0),
};

/** A list of texts that all pass. @param such names them in the error */
function listOf(passes: (text: string) => boolean, such: string): OptionRule {
  const isOne = (one: unknown) => typeof one === 'string' && passes(one);
  return [(value) => Array.isArray(value) && value.every(isOne), `must be a list of ${such}`];
}

/**
 * Checks the options of an app in a server of the host. Options that limit a server of its own are unknown there.
 *
 * @throws `invalid-input` for options that are missing, unknown, or of another form: a limit that is no number limits
 * nothing
 */
export function requireHttpOptions(options: HttpOptions): void {
  requireAll(options, OF_APP);
}

/** @throws as {@link requireHttpOptions} */
export function requireServiceOptions(options: ServiceOptions): void {
  requireAll(options, OF_SERVICE);
}

function requireAll(options: HttpOptions, rules: Readonly<Record<string, OptionRule>>): void {
  requireOptions(options, rules, ['engine', 'identity', 'ready']);
  requireOptions(options.limits ?? {}, PER_MINUTE, [], '/limits');
  requireOptions(options.waits ?? {}, AT_ONCE, [], '/waits');
  requireOptions(options.streams ?? {}, AT_ONCE, [], '/streams');
}
