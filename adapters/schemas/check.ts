import type { ErrorObject, ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import { EspalierError, type FieldError } from '../../core/kernel/errors.ts';
import type { SchemaNode } from './body-size.ts';
import { compiled } from './compile.ts';
import { escaped, MAX_ERRORS, type JsonCopy, toJsonValue, type Width } from './json-value.ts';

/** Above this many values only the first error is reported: listing all could take more memory than the input. */
const SMALL = 10_000;

/** Returns a validated and normalised copy of an input. @throws `invalid-input` with the fields at fault */
export type Check = (input: unknown) => Record<string, unknown>;

export function checkOf(schema: TObject): Check {
  const { copy, validate } = stepsOf(schema);
  return (input) => validate(copy(input));
}

/** The two steps of a {@link Check}, each of which takes milliseconds for very many values. */
export interface CheckSteps {
  readonly copy: (input: unknown) => JsonCopy;
  readonly validate: (copied: JsonCopy) => Record<string, unknown>;
}

/** Compiles on first use, so that a CLI call pays for one schema and not for all. */
export function stepsOf(schema: TObject): CheckSteps {
  let first: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  let widest: Width | undefined;
  return {
    copy: (input) => toJsonValue(input ?? {}, (widest ??= schemaWidth(schema))),
    validate({ value, size }) {
      first ??= compiled(schema, false);
      if (first(value)) return value as Record<string, unknown>;
      if (size > SMALL) throw refused(first.errors);
      all ??= compiled(schema, true);
      all(value);
      throw refused(all.errors);
    },
  };
}

/** A list in place of another value is reported as such only up to this length. */
const ITEMS = 1_000;

/** The most fields and items that any object and list in an input may have. All schemas name the fields they take. */
export function schemaWidth({ properties = {}, items, maxItems = Infinity, maxProperties = 0 }: SchemaNode): Width {
  const below = Object.values(properties).map(schemaWidth);
  if (items !== undefined) below.push({ fields: 0, items: maxItems }, schemaWidth(items));
  return {
    fields: Math.max(Object.keys(properties).length, maxProperties, ...below.map(({ fields }) => fields)),
    items: Math.max(ITEMS, ...below.map((one) => one.items)),
  };
}

function refused(errors: readonly ErrorObject[] | null | undefined): EspalierError {
  const given = errors ?? [];
  // A value of the right format also has the right length.
  const malformed = new Set(given.flatMap(({ keyword, instancePath }) => (keyword === 'format' ? [instancePath] : [])));
  const isSaid = ({ keyword, instancePath }: ErrorObject) => keyword.endsWith('Length') && malformed.has(instancePath);
  const fields = given
    .filter((error) => !isSaid(error))
    .slice(0, MAX_ERRORS)
    .map(fieldError);
  return new EspalierError('invalid-input', 'The input is not valid.', fields);
}

function fieldError({ instancePath, keyword, params, message }: ErrorObject): FieldError {
  const at = (field: unknown) => `${instancePath}/${escaped(String(field))}`;
  const given = params as Record<string, unknown>;
  if (keyword === 'required') return { pointer: at(given['missingProperty']), detail: 'is required' };
  if (keyword === 'additionalProperties') {
    const detail = /metadata$/i.test(instancePath) ? METADATA_KEY : 'is not a known field';
    return { pointer: at(given['additionalProperty']), detail };
  }
  return { pointer: instancePath, detail: detailOf(keyword, given) ?? message ?? 'is not valid' };
}

const METADATA_KEY = 'is not a valid key: use 1 to 40 of A-Z a-z 0-9 _ . -';

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
  if ((keyword === 'minLength' || keyword === 'minItems') && given['limit'] === 1) return 'must not be empty';
  const [, end, of] = /^(min|max)(Length|Items)$/.exec(keyword) ?? [];
  if (end !== undefined) {
    return `must have at ${end === 'min' ? 'least' : 'most'} ${String(given['limit'])} ${of === 'Items' ? 'items' : 'characters'}`;
  }
  if (keyword === 'type') return `must be ${[given['type']].flat().join(' or ')}`;
  return undefined;
}
