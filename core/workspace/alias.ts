const LONGEST = 63;
const FALLBACK = 'workspace';

/** An alias made from a name: ASCII letters and digits joined by `-`; a fixed word where the name has no such letters. */
export function aliasFrom(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const alias = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return alias.length < 2 ? FALLBACK : alias;
}

/** The alias with a suffix, still within its bounds. */
export function suffixed(alias: string, suffix: string): string {
  return `${alias.slice(0, LONGEST - suffix.length - 1).replace(/-+$/, '')}-${suffix}`;
}
