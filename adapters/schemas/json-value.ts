import { EspalierError, type FieldError } from '../../core/kernel/errors.ts';

const MAX_DEPTH = 32;
/** The most errors that are listed for one input. */
export const MAX_ERRORS = 100;

/** The result of {@link toJsonValue}: the copy, and how many values it holds. */
export interface JsonCopy {
  readonly value: unknown;
  readonly size: number;
}

/** The most fields of an object, and items of a list, that a schema allows anywhere in an input. */
export interface Width {
  readonly fields: number;
  readonly items: number;
}

/** The most unknown fields that are listed; an object with more is refused as a whole. */
const TOO_MANY_FIELDS = MAX_ERRORS;

/**
 * Copies an input to a JSON value that every store preserves exactly. This is the one place that refuses values which
 * stores would change in different ways. `undefined` in an object counts as missing, and negative zero becomes zero.
 *
 * @param widest the allowed width; a much wider value is refused before its content is examined
 * @throws `invalid-input` for lone surrogates, NUL, `__proto__`, numbers that are not finite or are integers past 2^53,
 * nesting deeper than 32, and values that JSON does not have
 */
export function toJsonValue(input: unknown, widest: Width = { fields: Infinity, items: Infinity }): JsonCopy {
  const errors: FieldError[] = [];
  let size = 0;
  const refuse = (location: ValuePath | null, detail: string) => {
    if (errors.length < MAX_ERRORS) errors.push({ pointer: pointerTo(location), detail });
    return null;
  };
  // The path of a value is built only when the value is refused.
  const copy = (value: unknown, above: ValuePath | null, key: string | number, depth: number): unknown => {
    size++;
    const location = () => (depth === 1 ? null : { above, key });
    if (typeof value === 'string') return textProblem(value) === null ? value : refuse(location(), textProblem(value)!);
    if (typeof value === 'number')
      return Number.isFinite(value) && !isPastExact(value) ? value + 0 : refuse(location(), NUMBER);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value !== 'object') return refuse(location(), `${JSON_VALUE}, not ${typeof value}`);
    if (depth > MAX_DEPTH) return refuse(location(), `must not be nested deeper than ${MAX_DEPTH}`);
    const here = location();
    if (Array.isArray(value)) {
      if (value.length > widest.items) return refuse(here, `must not have more than ${widest.items} items`);
      return Array.from(value, (item, i) => copy(item, here, i, depth + 1));
    }
    const type = typeOf(value);
    if (type !== 'Object') return refuse(here, `${JSON_VALUE}, not ${type}`);
    const names = Object.keys(value);
    if (names.length > widest.fields + TOO_MANY_FIELDS) return refuse(here, 'has too many unknown fields');
    const record: Record<string, unknown> = {};
    for (const name of names) {
      const item = (value as Readonly<Record<string, unknown>>)[name];
      if (item === undefined) continue;
      if (name === '__proto__' || textProblem(name) !== null)
        refuse({ above: here, key: name.toWellFormed() }, 'is not a known field');
      else record[name] = copy(item, here, name, depth + 1);
    }
    return record;
  };
  const value = copy(input, null, '', 1);
  if (errors.length > 0) throw new EspalierError('invalid-input', 'The input is not valid.', errors);
  return { value, size };
}

/**
 * `Object`, or the type of an object whose content is not in its fields: a Date or a Map would be copied as an empty
 * object.
 */
function typeOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? 'Object'
    : Object.prototype.toString.call(value).slice(8, -1);
}

/** The path of a value in an input; null for the input itself. */
interface ValuePath {
  readonly above: ValuePath | null;
  readonly key: string | number;
}

function pointerTo(location: ValuePath | null): string {
  return location === null ? '' : `${pointerTo(location.above)}/${escaped(String(location.key))}`;
}

const JSON_VALUE = 'must be text, a number, true, false, null, a list or a plain object';
const NUMBER = 'must be a finite number, and an integer only up to 2^53';

function isPastExact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}

const LONGEST_TOKEN = 100;

/** A key as a token of a JSON Pointer. A key longer than any field name is cut, so that the answer stays short. */
export function escaped(key: string): string {
  const shown = key.length > LONGEST_TOKEN ? `${key.slice(0, LONGEST_TOKEN).toWellFormed()}…` : key;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}
