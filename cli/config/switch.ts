import { usage } from '../io/failure.ts';
import type { SettingName, Settings } from './settings.ts';

const VALUES: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** The values of a switch, for help. */
export const SWITCH_WORDS = 'In the environment and in profiles, a switch is true, 1, false or 0.';

/** Whether a switch is on; off unless set. @throws a usage failure for anything but true, false, 1 and 0 */
export function switchOf(settings: Settings, name: SettingName): boolean {
  const given = settings.get(name);
  if (given === undefined) return false;
  if (Object.hasOwn(VALUES, given.value)) return VALUES[given.value]!;
  throw usage(`${given.from} must be true, 1, false or 0, not ${JSON.stringify(given.value)}.`);
}
