import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { TObject } from 'typebox';
import { EspalierError, type FieldError } from '../../core/errors.ts';
import { isColor } from './color.ts';
import { escaped, plain } from './walk.ts';

const MAX_ERRORS = 100;
/** Above so many values only the first error is looked for: listing all could take more memory than the input. */
const SMALL = 10_000;

/** Takes an input, and gives its checked and normalised copy. @throws `invalid-input` with what is wrong */
export type Check = (input: unknown) => Record<string, unknown>;

/** Compiles on first use, so that a CLI call pays for one schema and not for all. */
export function checkOf(schema: TObject): Check {
  let first: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  return (input) => {
    const { value, size } = plain(input ?? {});
    first ??= (ajvFirst ??= ajv(false)).compile(schema);
    if (first(value)) return value as Record<string, unknown>;
    if (size > SMALL) throw refused(first.errors);
    all ??= (ajvAll ??= ajv(true)).compile(schema);
    all(value);
    throw refused(all.errors);
  };
}

let ajvFirst: Ajv2020 | undefined;
let ajvAll: Ajv2020 | undefined;

/** An ajv that knows the formats and keywords of these schemas. */
function ajv(allErrors: boolean): Ajv2020 {
  const made = new Ajv2020({
    allErrors,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    // That each schema is one is tested; telling so at every start would cost a command more than its work.
    validateSchema: false,
  });
  ajvFormats.default(made, ['date', 'date-time', 'email']);
  const isTime = made.formats['date-time'] as { validate: (text: string) => boolean };
  made.addFormat('date-time', (text: string) => isTime.validate(text) && isStorable(text));
  made.addFormat('uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
  made.addFormat('css-color', isColor);
  made.addKeyword({
    keyword: 'normalise',
    type: 'string',
    schemaType: 'string',
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: (how: 'trim' | 'lower', text: string, _schema?: object, at?: Place) => {
      at!.parentData[at!.parentDataProperty] = how === 'trim' ? text.trim() : text.toLowerCase();
      return true;
    },
  });
  return made;
}

interface Place {
  readonly parentData: Record<string | number, unknown>;
  readonly parentDataProperty: string | number;
}

/** Whether a time is one that Date knows, with a year of four digits in UTC. */
function isStorable(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && /^\d{4}-/.test(at.toISOString());
}

function refused(errors: readonly ErrorObject[] | null | undefined): EspalierError {
  const fields = (errors ?? []).slice(0, MAX_ERRORS).map(fieldError);
  return new EspalierError('invalid-input', 'The input is not valid.', fields);
}

function fieldError({ instancePath, keyword, params, message }: ErrorObject): FieldError {
  const at = (field: unknown) => `${instancePath}/${escaped(String(field))}`;
  const given = params as Record<string, unknown>;
  if (keyword === 'required') return { pointer: at(given['missingProperty']), detail: 'is required' };
  if (keyword === 'additionalProperties') {
    return { pointer: at(given['additionalProperty']), detail: 'is not a known field' };
  }
  return { pointer: instancePath, detail: detailOf(keyword, given) ?? message ?? 'is not valid' };
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a day that exists, as YYYY-MM-DD',
  'date-time': 'must be a time with its offset, as in 2026-03-31T09:30:00Z',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
  'css-color': 'must be a CSS colour name or #rrggbb',
};

function detailOf(keyword: string, given: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === 'format') return FORMATS[String(given['format'])];
  if (keyword === 'enum') return `must be one of ${(given['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'type') return `must be ${[given['type']].flat().join(' or ')}`;
  return undefined;
}
