import type { TSchema } from 'typebox';
import type { FieldError } from '../../../core/kernel/errors.ts';
import { escaped, fieldOf, hasBody, isInQuery, largestBody, pathFields, type Operation } from '../../schemas/index.ts';
import { readJson } from './body.ts';
import type { RequestContext } from './request-context.ts';
import { badRequest } from '../response/problem.ts';
import { queryReader } from './query.ts';

/** The parsed input of a request. */
export interface ParsedInput {
  /** All fields in one object, as the use case takes them. */
  readonly input: Record<string, unknown>;
  /** The raw body; empty when there is none. */
  readonly body: Uint8Array;
}

/**
 * Builds the input of a use case from path, query and body.
 *
 * @param confirm as {@link readJson} takes it
 */
export type ReadInput = (
  context: RequestContext,
  bodyLimit: number,
  confirm: () => Promise<void>,
) => ParsedInput | Promise<ParsedInput>;

/** The parts of an operation that decide where the fields of a request are. */
type OperationShape = Pick<Operation, 'method' | 'path' | 'input'> & Partial<Pick<Operation, 'output'>>;

const NOTHING = new Uint8Array();

/** The reader is built by the first request: most operations of a short-lived service are never called. */
export function inputReader(operation: OperationShape): ReadInput {
  let made: ReadInput | undefined;
  return (context, bodyLimit, confirm) => (made ??= madeReader(operation))(context, bodyLimit, confirm);
}

function madeReader(operation: OperationShape): ReadInput {
  const { query, body } = requestFields(operation);
  const readQuery = queryReader(query);
  const largest = largestBody(body);
  return (context, bodyLimit, confirm) => {
    const address = addressOf(context.params);
    const fields = readQuery(context.search);
    if (!hasBody(operation.method)) return { input: Object.assign(fields, address), body: NOTHING };
    return readJson(context, Math.min(bodyLimit, largest), confirm).then(({ value, bytes }) => ({
      input: Object.assign(bodyFields(body, query, value, address), fields, address),
      body: bytes,
    }));
  };
}

type Properties = Readonly<Record<string, TSchema>>;

/** The fields of an operation, by their place in a request. */
export function requestFields(operation: OperationShape): { path: Properties; query: Properties; body: Properties } {
  const inPath = new Set(pathFields(operation.path));
  const all = Object.entries(operation.input.properties);
  const path = Object.fromEntries(all.filter(([name]) => inPath.has(name)));
  const rest = all.filter(([name]) => !inPath.has(name));
  const query = Object.fromEntries(rest.filter(([name]) => isInQuery(operation.method, name)));
  const body = Object.fromEntries(rest.filter(([name]) => !isInQuery(operation.method, name)));
  const shown = Object.fromEntries(Object.entries(shownInBody(operation)).filter(([name]) => inPath.has(name)));
  return { path, query, body: hasBody(operation.method) ? { ...body, ...shown } : {} };
}

/** A record that a client reads, edits and puts back repeats the ids of the path. */
function shownInBody({ method, output = null }: OperationShape): Properties {
  if (method !== 'PUT' || output === null) return {};
  const { properties } = output as { properties?: Properties };
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [name, { ...schema, readOnly: true }]),
  );
}

/** @param allowed the fields a body may have, including ids of the path that it may repeat */
function bodyFields(
  allowed: Properties,
  inQuery: Properties,
  given: unknown,
  address: Readonly<Record<string, string>>,
): Record<string, unknown> {
  if (given === undefined && Object.keys(allowed).length === 0) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw badRequest('The body must be a JSON object.', [{ pointer: '', detail: 'must be an object' }]);
  }
  const fields = given as Record<string, unknown>;
  const errors: FieldError[] = [];
  for (const [name, id] of Object.entries(address)) {
    if (!Object.hasOwn(fields, name)) continue;
    const known = Object.hasOwn(allowed, name);
    const value = fields[name];
    // The path wins over a repeated id.
    if (known && typeof value === 'string' && value.toLowerCase() === id.toLowerCase()) continue;
    errors.push({ pointer: `/${escaped(name)}`, detail: known ? 'is read-only' : 'is not a known field' });
  }
  for (const name of Object.keys(inQuery)) {
    if (Object.hasOwn(fields, name))
      errors.push({ pointer: `/${escaped(name)}`, detail: 'is a parameter of the query' });
  }
  if (errors.length > 0) throw badRequest('The input is not valid.', errors);
  return fields;
}

function addressOf(params: Readonly<Record<string, string>>): Record<string, string> {
  const address: Record<string, string> = {};
  for (const name in params) address[fieldOf(name)] = decoded(params[name]!);
  return address;
}

/** An id that cannot be decoded matches nothing, so it is passed on as it is. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
