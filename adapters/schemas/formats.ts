import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Format } from 'ajv';
import { isId } from '../../core/kernel/id.ts';
import { isColor } from './color.ts';

const isTime = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };

const EMAIL = fullFormats['email'] as RegExp;

/** Whether a text is accepted as an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length >= 3 && text.length <= 254 && EMAIL.test(text);
}

/** The formats that the schemas name. */
export const formats: Readonly<Record<string, Format>> = {
  date: fullFormats['date'],
  email: EMAIL,
  uuid: isId,
  'date-time': (text: string) => isTime.validate(text) && isStorable(text),
  'css-color': isColor,
};

/** Whether a time is valid for Date, with a four-digit year in UTC. */
function isStorable(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && /^\d{4}-/.test(at.toISOString());
}
