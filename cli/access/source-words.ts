import type { AccessSource } from '../../core/access/source.ts';

/** The source of a level, in words. */
export const SOURCE_WORDS: Readonly<Record<AccessSource, string>> = {
  owner: 'owner',
  entry: 'set here',
  default: 'page default',
  above: 'above',
  role: 'role',
};
