import { LEVEL_NAMES } from '../model/access/level.ts';
import type { AccessStep } from './explain.ts';

const RULES: Readonly<Record<AccessStep['rule'], string>> = {
  owner: 'an owner has Full Access on every page',
  entry: 'set for this member',
  cap: 'set in an earlier membership, so the level is at most this',
  default: 'does not inherit: the default level for role Member',
  silent: 'sets nothing',
  base: 'the role in the workspace',
  none: 'no active member',
};

/**
 * A step of an explanation in English, to follow the name of its page: "set for this member -> Editing".
 */
export function describeAccessStep({ rule, access }: AccessStep): string {
  return `${RULES[rule]}${access === null ? '' : ` -> ${LEVEL_NAMES[access]}`}`;
}
