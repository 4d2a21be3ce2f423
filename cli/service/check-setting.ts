import { withoutPassword } from '../../adapters/service/store-url.ts';
import { storeFile } from '../config/connection.ts';
import { fileModeOf } from '../config/file-mode.ts';
import { parseKeepChanges } from '../config/keep-changes.ts';
import { MAX_TRASH_SECONDS } from '../../core/trash/retention.ts';
import { parseDuration } from '../config/duration.ts';
import { parseQuotas } from '../config/quotas.ts';
import { requireServiceUrl } from '../config/service-url.ts';
import { SETTINGS, type Setting, type SettingName, type Settings } from '../config/settings.ts';
import { switchOf } from '../config/switch.ts';
import { usage } from '../io/failure.ts';
import { measured } from './connection-options.ts';
import { originsOf, perMinute, trustedProxiesOf } from './protection-options.ts';
import { adminEmailOf, basePathOf, logLevelOf, portOf, workersOf } from './service-options.ts';

type SettingCheck = (settings: Settings, given: Setting) => unknown;

/** Validators of settings. */
const CHECKS: { readonly [Name in SettingName]?: SettingCheck } = {
  store: (_, { value, from }) => {
    if (!/^(?:memory:$|file:.|mongodb(?:\+srv)?:\/\/.)/.test(value)) {
      throw usage(
        `${from} must be memory:, file:PATH or mongodb://..., not ${JSON.stringify(withoutPassword(value))}.`,
      );
    }
  },
  url: (settings) => settings.target(),
  port: portOf,
  basePath: basePathOf,
  workers: (settings) => workersOf(settings, ''),
  adminEmail: adminEmailOf,
  fileMode: fileModeOf,
  quotas: (_, { value, from }) => parseQuotas(value, from),
  keepChanges: (_, { value, from }) => parseKeepChanges(value, from),
  corsOrigins: originsOf,
  trash: (_, { value, from }) => parseDuration(value, from, MAX_TRASH_SECONDS),
  trustedProxies: trustedProxiesOf,
  requestsPerMinute: (settings) => perMinute(settings, 'requestsPerMinute', false),
  failuresPerMinute: (settings) => perMinute(settings, 'failuresPerMinute', false),
  unknownInvitationsPerMinute: (settings) => perMinute(settings, 'unknownInvitationsPerMinute', false),
  maxConnections: (settings) => measured(settings, 'maxConnections'),
  stallTimeout: (settings) => measured(settings, 'stallTimeout'),
  unreadLimit: (settings) => measured(settings, 'unreadLimit'),
  queryTimeout: (settings) => measured(settings, 'queryTimeout'),
  noCompression: (settings) => switchOf(settings, 'noCompression'),
  board: (settings) => switchOf(settings, 'board'),
  noBoard: (settings) => switchOf(settings, 'noBoard'),
  requireIfMatch: (settings) => switchOf(settings, 'requireIfMatch'),
  noImpersonation: (settings) => switchOf(settings, 'noImpersonation'),
  jwtLinkVerifiedEmail: (settings) => switchOf(settings, 'jwtLinkVerifiedEmail'),
  logLevel: logLevelOf,
};

/**
 * The value as stored in a profile: a store file has its absolute path, as profiles are used from any directory.
 *
 * @throws a usage failure for an invalid value
 */
export function checkedSetting(name: SettingName, value: string, cwd: string): string {
  const given: Setting = { value, source: 'profile', from: `The setting ${name}` };
  const get: Settings['get'] = (other) => (other === name ? given : defaultOf(other));
  CHECKS[name]?.(
    {
      profile: '',
      profilePath: null,
      get,
      value: (other) => get(other)?.value,
      target: () => {
        requireServiceUrl(given.from, value);
        return { kind: 'service', url: value, token: undefined };
      },
    },
    given,
  );
  const path = name === 'store' ? storeFile(value, cwd) : null;
  return path === null ? value : `file:${path}`;
}

function defaultOf(name: SettingName): Setting | undefined {
  const { default: value }: { readonly env: string; readonly default?: string } = SETTINGS[name];
  return value === undefined ? undefined : { value, source: 'default', from: 'built in' };
}
