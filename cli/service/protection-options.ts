import type { ServiceOptions } from '../../adapters/http/index.ts';
import { usage } from '../io/failure.ts';
import type { SettingName, Settings } from '../config/settings.ts';

export type Guards = Pick<ServiceOptions, 'requireIfMatch' | 'limits' | 'trustedProxies' | 'corsOrigins'>;

/** What the service is to refuse, as far as it is set. @throws a usage failure for what is no number */
export function guardsOf(settings: Settings): Guards {
  const requestsPerMinute = count(settings, 'requestsPerMinute');
  const failuresPerMinute = count(settings, 'failuresPerMinute');
  const unknownInvitationsPerMinute = count(settings, 'unknownInvitationsPerMinute');
  const trustedProxies = listOf(settings, 'trustedProxies');
  const corsOrigins = listOf(settings, 'corsOrigins');
  return {
    ...(settings.value('requireIfMatch') === 'true' && { requireIfMatch: true }),
    limits: {
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(failuresPerMinute !== undefined && { failuresPerMinute }),
      ...(unknownInvitationsPerMinute !== undefined && { unknownInvitationsPerMinute }),
    },
    ...(trustedProxies !== undefined && { trustedProxies }),
    ...(corsOrigins !== undefined && { corsOrigins }),
  };
}

function count(settings: Settings, name: SettingName): number | undefined {
  const given = settings.get(name);
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(given.value)) throw usage(`${given.from} must be a number from 1, not ${given.value}.`);
  return Number(given.value);
}

/** What is set, joined by commas. */
export function listOf(settings: Settings, name: SettingName): string[] | undefined {
  return settings
    .value(name)
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
