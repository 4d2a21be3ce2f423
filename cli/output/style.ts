import type { Io } from '../io/io.ts';
import type { SafeScreen } from '../io/safe-screen.ts';
import { reshaped, type SafeText, type Text } from '../io/safe-text.ts';

const NAMES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Emphasis that a terminal may or may not have; it is laid around text that has no control characters any more. */
export interface Style extends Readonly<Record<(typeof NAMES)[number], (text: Text) => SafeText>> {
  /** In a colour of CSS, as a tag has one, where the terminal can show it and it can be read there. */
  painted(colour: string, text: Text): SafeText;
}

export const plain: Style = styleOf(
  (_, written) => written,
  (_, written) => written,
);

/** Colours for a terminal that wants them. See no-color.org. */
export async function styleFor(screen: SafeScreen, env: Io['env'], noColor: boolean): Promise<Style> {
  const refused = noColor || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const wanted = screen.isTTY || (Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0');
  if (refused || !wanted) return plain;
  const colours = (await import('picocolors')).default.createColors(true);
  const { painterFor } = await import('./css-colour.ts');
  return styleOf((name, written) => colours[name](written), painterFor(env));
}

function styleOf(
  emphasised: (name: (typeof NAMES)[number], written: string) => string,
  painted: (colour: string, written: string) => string,
): Style {
  const styles = NAMES.map((name) => [name, (text: Text) => reshaped(text, (written) => emphasised(name, written))]);
  return {
    ...(Object.fromEntries(styles) as Omit<Style, 'painted'>),
    painted: (colour, text) => reshaped(text, (written) => painted(colour, written)),
  };
}
