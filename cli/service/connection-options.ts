import type { ConnectionLimits, ServiceOptions } from '../../adapters/http/index.ts';
import type { SettingName, Settings } from '../config/settings.ts';
import { switchOf } from '../config/switch.ts';
import { usage } from '../io/failure.ts';

type ConnectionOptions = Pick<ServiceOptions, 'maxConnections' | 'stallTimeout' | 'unreadLimit' | 'compression'>;

/** The unit and maximum of connection and store settings. */
const UNITS = {
  maxConnections: { of: '', size: 1, most: 1_000_000 },
  stallTimeout: { of: 'seconds', size: 1_000, most: 3_600 },
  unreadLimit: { of: 'mebibytes', size: 1_048_576, most: 1_048_576 },
  queryTimeout: { of: 'seconds', size: 1_000, most: 3_600 },
} as const satisfies { readonly [Name in SettingName]?: object };

export type MeasuredSetting = keyof typeof UNITS;

/** The configured limits on connections. @throws a usage failure for an invalid value */
export function connectionOptionsOf(settings: Settings): ConnectionOptions {
  const maxConnections = measured(settings, 'maxConnections');
  const stallTimeout = measured(settings, 'stallTimeout');
  const unreadLimit = measured(settings, 'unreadLimit');
  return {
    ...(maxConnections !== undefined && { maxConnections }),
    ...(stallTimeout !== undefined && { stallTimeout }),
    ...(unreadLimit !== undefined && { unreadLimit }),
    ...(switchOf(settings, 'noCompression') && { compression: false }),
  };
}

/** The value in the unit of the option, such as milliseconds for a setting in seconds; undefined if not set. */
export function measured(settings: Settings, name: MeasuredSetting): number | undefined {
  const given = settings.get(name);
  if (given === undefined) return undefined;
  const { of, size, most } = UNITS[name];
  const value = Number(given.value);
  if (!/^[1-9]\d{0,6}$/.test(given.value) || value > most) {
    throw usage(`${given.from} must be a whole number${of && ` of ${of}`} from 1 to ${most}, not ${given.value}.`);
  }
  return value * size;
}

/** The limits on connections that are in force, for people to read. */
export function connectionLine({ maxConnections, stallTimeout, unreadLimit }: ConnectionLimits): string {
  const unread = Math.round(unreadLimit / UNITS.unreadLimit.size);
  const stall = stallTimeout / UNITS.stallTimeout.size;
  return `Connections: maxConnections ${maxConnections}, stallTimeout ${stall} s, unreadLimit ${unread} MiB`;
}
