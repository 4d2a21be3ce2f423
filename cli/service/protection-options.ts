import type { ServiceOptions } from '../../adapters/http/index.ts';
import { addressReader } from '../../adapters/http/request/address.ts';
import { isOrigin } from '../../adapters/http/response/origin.ts';
import { UNLIMITED } from '../config/quotas.ts';
import { usage } from '../io/failure.ts';
import type { SettingName, Settings } from '../config/settings.ts';
import { switchOf } from '../config/switch.ts';

export type Guards = Pick<
  ServiceOptions,
  | 'requireIfMatch'
  | 'limits'
  | 'trustedProxies'
  | 'corsOrigins'
  | 'maxConnections'
  | 'stallTimeout'
  | 'unreadLimit'
  | 'compression'
>;

/** Default limits per minute of a service that others reach, beyond loopback or through a proxy. */
const OPEN_LIMITS = {
  requestsPerMinute: 1_200,
  failuresPerMinute: 60,
  unknownInvitationsPerMinute: 20,
} as const;

/**
 * The configured limits of the service.
 *
 * @param isOpen whether others reach the service, beyond loopback or through a proxy, so that unset limits have defaults
 * @throws a usage failure for an invalid value
 */
export function guardsOf(settings: Settings, isOpen: boolean): Guards {
  const count = (name: keyof typeof OPEN_LIMITS) => perMinute(settings, name, isOpen);
  const requestsPerMinute = count('requestsPerMinute');
  const failuresPerMinute = count('failuresPerMinute');
  const unknownInvitationsPerMinute = count('unknownInvitationsPerMinute');
  const trustedProxies = trustedProxiesOf(settings);
  const corsOrigins = originsOf(settings);
  return {
    ...(switchOf(settings, 'requireIfMatch') && { requireIfMatch: true }),
    limits: {
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(failuresPerMinute !== undefined && { failuresPerMinute }),
      ...(unknownInvitationsPerMinute !== undefined && { unknownInvitationsPerMinute }),
    },
    ...(trustedProxies !== undefined && { trustedProxies }),
    ...(corsOrigins !== undefined && { corsOrigins }),
  };
}

/** The limit per minute; undefined: unlimited. */
export function perMinute(settings: Settings, name: keyof typeof OPEN_LIMITS, isOpen: boolean): number | undefined {
  const given = settings.get(name);
  if (given === undefined) return isOpen ? OPEN_LIMITS[name] : undefined;
  if (given.value === UNLIMITED) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(given.value)) {
    throw usage(`${given.from} must be a number from 1, or ${UNLIMITED}, not ${given.value}.`);
  }
  return Number(given.value);
}

/** @throws a usage failure for a value that is no origin */
export function originsOf(settings: Settings): string[] | undefined {
  const origins = listOf(settings, 'corsOrigins');
  const wrong = origins?.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong === undefined) return origins;
  const { from } = settings.get('corsOrigins')!;
  const hint = 'Use scheme, host and port, without a trailing slash.';
  throw usage(`${from} must be origins such as https://app.example.org, or *, not ${JSON.stringify(wrong)}.`, hint);
}

/** The trusted proxies; undefined: none. @throws a usage failure for a value that is no address or network */
export function trustedProxiesOf(settings: Settings): string[] | undefined {
  const proxies = listOf(settings, 'trustedProxies');
  try {
    addressReader(proxies ?? []);
  } catch (error) {
    throw usage(`${settings.get('trustedProxies')!.from}: ${(error as Error).message}`);
  }
  return proxies;
}

/** A setting with values joined by commas. */
export function listOf(settings: Settings, name: SettingName): string[] | undefined {
  return settings
    .value(name)
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
