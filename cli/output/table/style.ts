import type { Io } from '../../io/io.ts';
import type { SafeScreen } from '../../io/safe-screen.ts';
import { reshaped, type SafeText, type Text } from '../../io/safe-text.ts';

const NAMES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/**
 * Colours and emphasis, applied to text without control characters; without effect if the output does not support them.
 */
export interface Style extends Readonly<Record<(typeof NAMES)[number], (text: Text) => SafeText>> {
  /** Applies a CSS colour, such as that of a tag, if the terminal supports it and it is readable. */
  painted(colour: string, text: Text): SafeText;
}

export const plain: Style = styleOf(
  (_, written) => written,
  (_, written) => written,
);

/** Values of FORCE_COLOR that force nothing. */
const NOT_FORCED = ['', '0', 'false'];

/** The style for a screen, with colours if it supports them. See no-color.org. */
export async function styleFor(screen: SafeScreen, env: Io['env'], noColor: boolean): Promise<Style> {
  const refused = noColor || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  const wanted = screen.isTTY || !NOT_FORCED.includes(env['FORCE_COLOR'] ?? '');
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
