import { isId } from '../kernel/id.ts';

const MAX_LENGTH = 63;
const FALLBACK = 'workspace';
const ALIAS = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Words used in paths of operations where others have the id of a workspace. A test derives them from the operations.
 */
export const RESERVED_ALIASES: ReadonlySet<string> = new Set(['invitation']);

/**
 * Whether a workspace can be addressed by this value. Older stores may hold aliases that cannot; such workspaces are
 * addressed by id.
 */
export function isUsableAlias(value: string): boolean {
  return !isId(value) && ALIAS.test(value) && !RESERVED_ALIASES.has(value);
}

/** An alias made from a name: ASCII letters and digits joined by `-`; a fixed word if the name has none. */
export function aliasFrom(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const alias = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return alias.length < 2 ? FALLBACK : alias;
}

/** The alias with a suffix, still within its bounds. */
export function suffixed(alias: string, suffix: string): string {
  return `${alias.slice(0, MAX_LENGTH - suffix.length - 1).replace(/-+$/, '')}-${suffix}`;
}
