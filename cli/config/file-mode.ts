import { usage } from '../io/failure.ts';
import type { Settings } from './settings.ts';

/** The setting as a number. @throws a usage failure for modes without read and write for the owner, or with execute */
export function fileModeOf(settings: Settings): number {
  const { value, from } = settings.get('fileMode')!;
  if (!/^0?6[046][046]$/.test(value)) throw usage(`${from} must look like 0600, 0640 or 0660, not ${value}.`);
  return Number.parseInt(value, 8);
}
