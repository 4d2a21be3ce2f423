import names from 'color-name';
import type { Io } from '../../io/io.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** A function that colours text by a CSS colour, as far as the terminal supports it: 24 bits, 256 colours, or none. */
export function painterFor(env: Io['env']): (colour: string, written: string) => string {
  const isTrue = /^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '');
  if (!isTrue && !/256/.test(env['TERM'] ?? '')) return (_, written) => written;
  return (colour, written) => {
    const rgb = rgbOf(colour);
    if (rgb === undefined || !canBeRead(rgb)) return written;
    return `\u001b[38;${isTrue ? `2;${rgb.join(';')}` : `5;${nearestOf256(rgb)}`}m${written}\u001b[39m`;
  };
}

function rgbOf(colour: string): Rgb | undefined {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(colour) ?? [];
  if (parts.length === 3) return parts.map((part) => Number.parseInt(part, 16)) as unknown as Rgb;
  const name = colour.toLowerCase();
  return Object.hasOwn(names, name) ? names[name as keyof typeof names] : undefined;
}

/** Whether a colour is readable on dark and light backgrounds: neither nearly black nor nearly white. */
function canBeRead([red, green, blue]: Rgb): boolean {
  const light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  return light > 0.12 && light < 0.88;
}

/** The nearest colour of the 6 x 6 x 6 cube, which starts at 16. */
function nearestOf256([red, green, blue]: Rgb): number {
  const step = (part: number) => Math.round((part / 255) * 5);
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}
