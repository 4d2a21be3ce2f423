/** A value that a field must refuse, and what is wrong with it. */
export interface Bad {
  readonly what: string;
  readonly value: unknown;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly normalise?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly maxProperties?: number;
  readonly readOnly?: boolean;
}

const bad = (what: string, value: unknown): Bad => ({ what, value });

/** For a field of a body. Made from its schema, so that a new field is tested from its first day. */
export function badValues(schema: Schema): readonly Bad[] {
  const types = [schema.type].flat();
  return [
    ...(types.includes('null') ? [] : [bad('null', null)]),
    ...(types.includes('object') ? badObjects(schema) : [bad('an object', { a: 1 })]),
    ...(types.includes('array') ? badLists(schema) : [bad('a list', [])]),
    ...(types.includes('string') ? badTexts(schema) : [bad('text', 'text')]),
    ...(types.includes('integer') ? badNumbers(schema) : types.includes('number') ? FAR : [bad('a number', 7)]),
    ...(types.includes('boolean') ? [] : [bad('a boolean', true)]),
  ];
}

/** For a parameter of a query: texts. */
export function badTextsInQuery(schema: Schema): readonly Bad[] {
  const one = schema.items ?? schema;
  const kind = [one.type].flat().find((type) => type !== 'null');
  const texts = kind === 'string' ? badTexts(one).filter(({ value }) => typeof value === 'string') : [];
  const rest =
    kind === 'string' ? [] : ['', 'x', '1.5', '1e1', '+1', ' 1', '01', 'TRUE', 'null'].map((text) => bad(text, text));
  const numbers = kind === 'integer' ? badNumbers(one).filter(({ value }) => Number.isInteger(value)) : [];
  return [...texts, ...rest, ...numbers.map(({ what, value }) => bad(what, String(value)))].filter(
    // A lone surrogate cannot be written in a query at all, and an address that is too long is a 431.
    ({ value }) => (value as string).isWellFormed() && encodeURIComponent(value as string).length < 12_000,
  );
}

function badTexts(schema: Schema): readonly Bad[] {
  if (schema.enum !== undefined) return [bad('none of its values', 'nope'), bad('nothing', '')];
  const { minLength = 0, maxLength = 0 } = schema;
  return [
    bad('too long', 'x'.repeat(maxLength + 1)),
    bad('too many characters beyond the BMP', '😀'.repeat(maxLength + 1)),
    bad('a lone surrogate', `${'x'.repeat(Math.max(0, minLength - 1))}\uD800`),
    bad('NUL', `${'x'.repeat(Math.max(0, minLength - 1))}\0`),
    ...(minLength > 0 ? [bad('too short', 'x'.repeat(minLength - 1))] : []),
    ...(schema.normalise === 'trim'
      ? [bad('only white space', ' \t\n\u00A0'), bad('too long when it is trimmed', ` ${'x'.repeat(maxLength + 1)} `)]
      : []),
    ...formatted(schema),
  ];
}

const NOT_OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-02-30', '2026-13-01', '2025-02-29', '20260101', '2026-1-1', '2026-01-01T00:00:00Z'],
  'date-time': [
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01T00:00:00',
    '2026-12-31T23:59:60Z',
    '9999-12-31T23:59:59-23:00',
    'yesterday, at about noon',
  ],
  email: ['nobody', 'a@', '@b', 'a b@c.de', 'a@b@c.de'],
  uuid: ['nope', '00000000-0000-7000-8000-00000000000g', 'urn:uuid:00000000-0000-7000-8000-000000000000'],
  'css-color': ['blurple', '#12345', '#12345g', 'rgb(1,2,3)', 'transparent'],
};

function formatted({ format, pattern }: Schema): readonly Bad[] {
  if (format !== undefined) return NOT_OF_FORMAT[format]!.map((text) => bad(text, text));
  if (pattern === undefined) return [];
  const texts = ['-', 'A B', '-ab', 'ab-', 'ä', '__proto__'].filter((text) => !new RegExp(pattern, 'u').test(text));
  return texts.map((text) => bad(text, text));
}

function badNumbers(schema: Schema): readonly Bad[] {
  if (schema.enum !== undefined)
    return [bad('none of its values', 250), bad('a fraction', 100.5), bad('past 2^53', 2 ** 53)];
  const { minimum = 0, maximum = 0 } = schema;
  return [
    bad('too small', minimum - 1),
    bad('too large', maximum + 1),
    bad('a fraction', minimum + 0.5),
    bad('past 2^53', 2 ** 53 + 2),
    bad('past -2^53', -(2 ** 53)),
  ].filter(({ value }) => !(Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum));
}

/** Beyond what can be told apart. */
const FAR = [bad('past 2^53', 2 ** 53 + 2), bad('past -2^53', -(2 ** 53))];

function badObjects({ readOnly, properties = {}, patternProperties = {}, maxProperties }: Schema): readonly Bad[] {
  // What is only shown may be sent back, in part too.
  if (readOnly === true) return [];
  const named = Object.entries(properties).flatMap(([name, schema]) =>
    badValues(schema).map(({ what, value }) => bad(`${name}: ${what}`, { [name]: value })),
  );
  const keyed = Object.entries(patternProperties).flatMap(([pattern, schema]) => [
    ...badValues(schema).map(({ what, value }) => bad(`a key with ${what}`, { k: value })),
    ...BAD_KEYS.filter((key) => !new RegExp(pattern, 'u').test(key)).map((key) => bad(`the key ${key}`, withKey(key))),
    ...(maxProperties === undefined
      ? []
      : [bad('too many keys', keys(maxProperties + 1)), bad('far too many keys', keys(1_000))]),
  ]);
  return [...named, ...keyed, bad('an unknown field', withKey('sur prise')), bad('a prototype', withKey('__proto__'))];
}

const BAD_KEYS = ['', ' ', 'a b', 'ä', '$gt', 'a/b', 'a\n', '\0', 'k'.repeat(41), '😀'];

/** An object that has the key itself, also where assigning it would do something else. */
function withKey(key: string): object {
  return Object.fromEntries([[key, 1]]);
}

function keys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
}

function badLists({ items, maxItems }: Schema): readonly Bad[] {
  const one = items?.type === 'object' || items === undefined ? {} : badValues(items)[0]!.value;
  return [
    bad('a list with a bad item', [one]),
    ...(maxItems === undefined || maxItems > 1_000 ? [] : [bad('too many items', Array(maxItems + 1).fill(one))]),
  ];
}
