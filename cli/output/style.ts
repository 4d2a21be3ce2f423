import type { Io, Screen } from '../io/io.ts';

/** Emphasis that a terminal may or may not have. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;

export const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Colours for a terminal that wants them. See no-color.org. */
export async function styleFor(screen: Screen, env: Io['env'], noColor: boolean): Promise<Style> {
  const refused = noColor || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const wanted = screen.isTTY === true || (Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0');
  if (refused || !wanted) return plain;
  return (await import('picocolors')).default.createColors(true);
}
