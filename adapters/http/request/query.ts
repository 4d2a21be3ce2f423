import type { TSchema } from 'typebox';
import type { FieldError } from '../../../core/kernel/errors.ts';
import { escaped, MAX_ERRORS, MAX_QUERY } from '../../schemas/index.ts';
import { decodeCursor } from '../response/paging.ts';
import { badRequest } from '../response/problem.ts';
import { addToList } from '../../../core/kernel/group.ts';

/** Parses the text of one parameter; undefined when it does not have the type. */
type Parse = (text: string) => unknown;

interface Parameter {
  readonly parse: Parse;
  readonly many: boolean;
  /** Whether a percent-encoded comma separates values too. False if a value may contain commas. */
  readonly commas: boolean;
  /** Whether it is given by keys: `name.KEY=VALUE`, or `name[KEY]=VALUE`. No comma separates its values. */
  readonly keyed?: true;
}

/** Parses the query string into fields, by the schemas of the fields. @throws `invalid-input` */
export type ReadQuery = (search: string) => Record<string, unknown>;

export function queryReader(properties: Readonly<Record<string, TSchema>>): ReadQuery {
  const parameters = new Map(Object.entries(properties).map(([name, schema]) => [name, parameterOf(name, schema)]));
  return (search) => {
    const fields: Record<string, unknown> = {};
    if (search === '') return fields;
    const errors: FieldError[] = [];
    requireShort(search);
    const keyed = new Map<string, Map<string, string[]>>();
    for (const [given, texts] of partsOf(search)) {
      if (errors.length === MAX_ERRORS) break;
      const { name, key } = keyIn(given);
      const isKeyed = key !== undefined && parameters.get(name)?.keyed === true;
      const pointer = isKeyed ? `/${name}/${escaped(key)}` : `/${escaped(given)}`;
      const parameter = isKeyed ? parameters.get(name) : parameters.get(given);
      if (parameter === undefined) errors.push({ pointer, detail: 'is not a known parameter' });
      else if (texts === null) errors.push({ pointer, detail: 'is not well encoded' });
      else if (isKeyed) {
        const values = keyed.get(name) ?? new Map<string, string[]>();
        for (const text of texts) addToList(values, key, decoded(text)!);
        keyed.set(name, values);
      } else if (parameter.keyed) errors.push({ pointer, detail: `takes a key: ${given}.KEY=VALUE` });
      else if (!parameter.many && texts.length > 1) errors.push({ pointer, detail: 'is given more than once' });
      else fields[given] = valueOf(parameter, texts);
    }
    // A key may be any text, `__proto__` too: `fromEntries` makes it an own property.
    for (const [name, values] of keyed) fields[name] = Object.fromEntries(values);
    if (errors.length > 0) throw badRequest('The query is not valid.', errors);
    return fields;
  };
}

/** The key in `name.KEY` and `name[KEY]`. */
function keyIn(given: string): { readonly name: string; readonly key?: string } {
  const [, name, dotted, bracketed] = /^(\w+)(?:\.(.+)|\[(.+)\])$/s.exec(given) ?? [];
  const key = dotted ?? bracketed;
  return name === undefined || key === undefined ? { name: given } : { name, key };
}

/** The length of a character that a link cannot hold as it is. */
const ENCODED = 3;

function lengthInLink(text: string): number {
  return text.length + (ENCODED - 1) * (text.match(/[<>"]/g)?.length ?? 0);
}

function requireShort(search: string): void {
  if (search.length * ENCODED <= MAX_QUERY) return;
  const cursor = /[?&]cursor=[^&]*/.exec(search)?.[0] ?? '';
  if (lengthInLink(search) - lengthInLink(cursor) <= MAX_QUERY) return;
  throw badRequest(
    `The query must not be longer than ${MAX_QUERY} characters without its cursor: join the values of a filter with commas, or ask for fewer at once.`,
  );
}

function parameterOf(name: string, schema: TSchema): Parameter {
  const { type, items } = schema as { type?: string | string[]; items?: TSchema & { pattern?: string } };
  if (items === undefined) {
    const kind = [type].flat().find((one) => one !== 'null');
    if (kind === 'object') return { parse: parserOf(kind), many: true, commas: false, keyed: true };
    return { parse: name === 'cursor' ? decodeCursor : parserOf(kind), many: false, commas: false };
  }
  const { type: kind, pattern, format, enum: values } = items as Readonly<Record<string, unknown>>;
  const closed = kind !== 'string' || [pattern, format, values].some((bound) => bound !== undefined);
  return { parse: parserOf(kind as string), many: true, commas: closed };
}

/** Text that is not a number or boolean is passed on unchanged: the schema refuses it. */
function parserOf(kind: string | undefined): Parse {
  if (kind === 'integer') return (text) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text);
  if (kind === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}

function valueOf({ parse, many, commas }: Parameter, texts: readonly string[]): unknown {
  if (!many) return parse(decoded(texts[0]!)!);
  const values = texts.flatMap((text) => text.split(',').map((part) => decoded(part)!));
  return (commas ? values.flatMap((value) => value.split(',')) : values).map(parse);
}

/** The parameters by name, their values still encoded; null when a name cannot be decoded. */
function partsOf(search: string): Map<string, string[] | null> {
  const parts = new Map<string, string[] | null>();
  for (const part of search.slice(1).split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const [key, text] = at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    const name = decoded(key) ?? key;
    const before = parts.get(name);
    if (decoded(text) === undefined || before === null) parts.set(name, null);
    else if (before === undefined) parts.set(name, [text]);
    else before.push(text);
  }
  return parts;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
