import { usage } from '../io/failure.ts';
import type { Io } from '../io/io.ts';
import { profilePath, readProfiles, type Profile } from './profile.ts';
import { requireServiceUrl } from './service-url.ts';

interface SettingSpec {
  /** Null for a secret, which is never taken from a flag. */
  readonly flag: string | null;
  readonly env: string;
  readonly default?: string;
}

/** Every setting with its flag, environment variable and default. */
export const SETTINGS = {
  store: { flag: '--store', env: 'ESPALIER_STORE', default: 'file:espalier.db' },
  url: { flag: '--url', env: 'ESPALIER_URL' },
  token: { flag: null, env: 'ESPALIER_TOKEN' },
  as: { flag: '--as', env: 'ESPALIER_AS' },
  workspace: { flag: '--workspace', env: 'ESPALIER_WORKSPACE' },
  host: { flag: '--host', env: 'ESPALIER_HOST', default: '127.0.0.1' },
  port: { flag: '--port', env: 'ESPALIER_PORT', default: '4800' },
  basePath: { flag: '--base-path', env: 'ESPALIER_BASE_PATH' },
  workers: { flag: '--workers', env: 'ESPALIER_WORKERS', default: '1' },
  adminEmail: { flag: '--admin-email', env: 'ESPALIER_ADMIN_EMAIL', default: 'admin@espalier.localhost' },
  requireIfMatch: { flag: '--require-if-match', env: 'ESPALIER_REQUIRE_IF_MATCH' },
  requestsPerMinute: { flag: '--requests-per-minute', env: 'ESPALIER_REQUESTS_PER_MINUTE' },
  failuresPerMinute: { flag: '--failures-per-minute', env: 'ESPALIER_FAILURES_PER_MINUTE' },
  unknownInvitationsPerMinute: {
    flag: '--unknown-invitations-per-minute',
    env: 'ESPALIER_UNKNOWN_INVITATIONS_PER_MINUTE',
  },
  maxConnections: { flag: '--max-connections', env: 'ESPALIER_MAX_CONNECTIONS' },
  stallTimeout: { flag: '--stall-timeout', env: 'ESPALIER_STALL_TIMEOUT' },
  unreadLimit: { flag: '--unread-limit', env: 'ESPALIER_UNREAD_LIMIT' },
  queryTimeout: { flag: '--query-timeout', env: 'ESPALIER_QUERY_TIMEOUT' },
  noCompression: { flag: '--no-compression', env: 'ESPALIER_NO_COMPRESSION' },
  board: { flag: '--board', env: 'ESPALIER_BOARD' },
  noBoard: { flag: '--no-board', env: 'ESPALIER_NO_BOARD' },
  trustedProxies: { flag: '--trusted-proxies', env: 'ESPALIER_TRUSTED_PROXIES' },
  corsOrigins: { flag: '--cors-origins', env: 'ESPALIER_CORS_ORIGINS' },
  quotas: { flag: '--quotas', env: 'ESPALIER_QUOTAS' },
  keepChanges: { flag: '--keep-changes', env: 'ESPALIER_KEEP_CHANGES' },
  trash: { flag: '--trash', env: 'ESPALIER_TRASH' },
  noImpersonation: { flag: '--no-impersonation', env: 'ESPALIER_NO_IMPERSONATION' },
  jwtIssuer: { flag: '--jwt-issuer', env: 'ESPALIER_JWT_ISSUER' },
  jwtAudience: { flag: '--jwt-audience', env: 'ESPALIER_JWT_AUDIENCE' },
  jwtJwksUrl: { flag: '--jwt-jwks-url', env: 'ESPALIER_JWT_JWKS_URL' },
  jwtJwksFile: { flag: '--jwt-jwks-file', env: 'ESPALIER_JWT_JWKS_FILE' },
  jwtSecret: { flag: null, env: 'ESPALIER_JWT_SECRET' },
  jwtSecretFile: { flag: '--jwt-secret-file', env: 'ESPALIER_JWT_SECRET_FILE' },
  jwtAlgorithms: { flag: '--jwt-algorithms', env: 'ESPALIER_JWT_ALGORITHMS' },
  jwtClockTolerance: { flag: '--jwt-clock-tolerance', env: 'ESPALIER_JWT_CLOCK_TOLERANCE' },
  jwtLinkVerifiedEmail: { flag: '--jwt-link-verified-email', env: 'ESPALIER_JWT_LINK_VERIFIED_EMAIL' },
  fileMode: { flag: '--file-mode', env: 'ESPALIER_FILE_MODE', default: '0600' },
  logLevel: { flag: '--log-level', env: 'ESPALIER_LOG_LEVEL', default: 'info' },
} as const satisfies Record<string, SettingSpec>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

const TIED_TO_TARGET: readonly SettingName[] = ['as', 'token', 'workspace', 'store', 'url'];

export type Source = 'flag' | 'environment' | 'profile' | 'default';
const PRECEDENCE: readonly Source[] = ['flag', 'environment', 'profile', 'default'];

export interface Setting {
  readonly value: string;
  readonly source: Source;
  /** The flag, variable or file that it comes from. */
  readonly from: string;
}

/** The store or service that the program works on. */
export type ConnectionTarget =
  | { readonly kind: 'store'; readonly url: string }
  | { readonly kind: 'service'; readonly url: string; readonly token: string | undefined };

export interface Settings {
  readonly profile: string;
  readonly profilePath: string | null;
  get(name: SettingName): Setting | undefined;
  value(name: SettingName): string | undefined;
  /** @throws if both a store and a service are named at the same level */
  target(): ConnectionTarget;
}

/** The order of precedence is flag, environment, profile, default. Empty means not set. */
export async function loadSettings(flags: Readonly<Record<string, unknown>>, env: Io['env']): Promise<Settings> {
  const path = profilePath(env);
  const file = await readProfiles(path);
  const named = text(flags['profile']) ?? text(env['ESPALIER_PROFILE']);
  const profile = named ?? file.current;
  const stored: Profile | undefined = Object.hasOwn(file.profiles, profile) ? file.profiles[profile] : undefined;
  if (named !== undefined && stored === undefined) {
    const known = Object.keys(file.profiles).join(', ') || 'none yet';
    throw usage(`There is no profile ${JSON.stringify(named)}.`, `Known profiles: ${known}.`);
  }
  // User, token and workspace of a profile belong to its store or service: they do not apply if one is named elsewhere.
  const elsewhere = (['store', 'url'] as const).some((name) => text(flags[name]) ?? text(env[SETTINGS[name].env]));
  const applies = (name: SettingName): boolean => !elsewhere || !TIED_TO_TARGET.includes(name);
  const get = (name: SettingName): Setting | undefined => {
    const known: SettingSpec = SETTINGS[name];
    const flag = flagOf(known.flag, name, flags);
    if (flag !== undefined) return { value: flag, source: 'flag', from: known.flag! };
    const variable = text(env[known.env]);
    if (variable !== undefined) return { value: variable, source: 'environment', from: known.env };
    const own = applies(name) && stored !== undefined && Object.hasOwn(stored, name) ? text(stored[name]) : undefined;
    if (own !== undefined) return { value: own, source: 'profile', from: `${path} (${profile})` };
    return known.default === undefined ? undefined : { value: known.default, source: 'default', from: 'built in' };
  };
  return { profile, profilePath: path, get, value: (name) => get(name)?.value, target: () => targetOf(get) };
}

/** Commander gives `--no-x` as `x` with the value false. */
function flagOf(flag: string | null, name: SettingName, flags: Readonly<Record<string, unknown>>): string | undefined {
  if (flag === null) return undefined;
  if (!flag.startsWith('--no-')) return text(flags[name]);
  return flags[flag.slice('--no-'.length)] === false ? 'true' : undefined;
}

/** Whether a setting comes from a source that goes before that of the other. */
export function takesPrecedence(one: Setting, other: Setting): boolean {
  return PRECEDENCE.indexOf(one.source) < PRECEDENCE.indexOf(other.source);
}

function targetOf(get: Settings['get']): ConnectionTarget {
  const store = get('store')!;
  const url = get('url');
  if (url === undefined) return { kind: 'store', url: store.value };
  if (url.source === store.source) {
    if (url.source === 'profile') {
      const hint = 'Remove one: espalier config unset store, or espalier config unset url';
      throw usage(`The profile sets both store and url: ${url.from}.`, hint);
    }
    throw usage(`Both ${store.from} and ${url.from} are given: use a store or a service, not both.`);
  }
  if (takesPrecedence(store, url)) return { kind: 'store', url: store.value };
  requireServiceUrl(url.from, url.value);
  return { kind: 'service', url: url.value, token: get('token')?.value };
}

function text(value: unknown): string | undefined {
  if (value === true) return 'true';
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** For a profile that is saved to be used from now on. @param names the settings that overrule it in the environment */
export function overriddenNote(env: Io['env'], names: readonly SettingName[]): string {
  const variables = [...names.map((name) => SETTINGS[name].env), 'ESPALIER_PROFILE'].filter((name) => env[name]);
  return `The environment overrides the profile. To use the profile: unset ${variables.join(' ')}`;
}
