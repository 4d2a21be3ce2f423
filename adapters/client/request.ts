import { v4 as randomUuid } from 'uuid';
import { invalid } from '../../core/kernel/errors.ts';
import type { CallOptions } from '../../core/session.ts';
import { toJsonValue } from '../schemas/json-value.ts';
import { fieldOf, hasBody, isInQuery, MAX_QUERY } from '../schemas/operation.ts';
import { tagOfExpected } from '../schemas/version-tag.ts';
import { segmentOf } from './path.ts';
import { sendable } from './sendable.ts';
import type { OperationRoute } from './routes.ts';

/** In seconds. */
const LONGEST_WAIT = 60;

/** The only query parameter that may be null: that means the top level, as does its absence. */
const NULLABLE = 'parentId';

export interface HttpRequest {
  readonly method: OperationRoute['method'];
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the request may be repeated without a second effect. */
  readonly repeatable: boolean;
  /** How long the service may wait before it answers, in milliseconds. */
  readonly wait?: number;
  /** Aborts the request; only of a call without effect. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The request for a call: ids in the path, the rest in the body or the query.
 *
 * @throws `invalid-input` for what no request can carry
 */
export function requestOf(route: OperationRoute, input: object, call: CallOptions): HttpRequest {
  const { method, path } = route;
  const given: Record<string, unknown> = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const field = fieldOf(parameter);
    const value = given[field];
    delete given[field];
    if (typeof value !== 'string') throw invalid(`/${field}`, 'must be a string');
    return segmentOf(value);
  });
  // JSON would turn NaN and infinite numbers into null.
  const rest = toJsonValue(given).value as Readonly<Record<string, unknown>>;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (call.ifVersion !== undefined) headers['if-match'] = call.ifVersion.map(tagOfExpected).join(', ');
  if (call.requestId !== undefined) headers['x-request-id'] = sendable(call.requestId);
  // An answer with a secret that is shown once is not stored, so the service refuses a repeated request.
  if (method === 'POST' && route.secret !== 'once')
    headers['idempotency-key'] = call.idempotencyKey?.key ?? randomUuid();
  // If the first attempt of a PUT took effect, a repeated one would no longer find the version that it expects.
  const asBefore = method === 'GET' || (method === 'PUT' && call.ifVersion === undefined);
  const repeatable = asBefore || headers['idempotency-key'] !== undefined;
  if (!hasBody(method)) {
    const wait = waitOf(rest);
    const signal = method === 'GET' ? (call.signal as AbortSignal | undefined) : undefined;
    return { method, path: filled + queryOf(rest), headers, repeatable, wait, signal };
  }
  headers['content-type'] = 'application/json';
  const [query, body] = [true, false].map((inQuery) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => isInQuery(method, name) === inQuery)),
  );
  return { method, path: filled + queryOf(query!), headers, body: JSON.stringify(body), repeatable };
}

/** Whether a filter is an empty list, or has one at a key: it matches nothing, which a query string cannot express. */
export function matchesNothing(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.length === 0;
  return typeof filter === 'object' && filter !== null && Object.values(filter).some(matchesNothing);
}

/** How long the service waits, in milliseconds. It refuses at once to wait for longer. */
function waitOf({ wait }: Readonly<Record<string, unknown>>): number {
  return typeof wait === 'number' && wait > 0 && wait <= LONGEST_WAIT ? wait * 1_000 : 0;
}

/** A filter by keys, as the service takes it: `metadata.KEY=VALUE`. */
function byKey([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).map(([key, one]) => [`${name}.${key}`, one]);
}

/**
 * The values of a list are joined by commas, as the length of a query is limited and repeating names would use it up.
 *
 * @throws `invalid-input`
 */
function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const parts: { readonly name: string; readonly text: string }[] = [];
  for (const [name, value] of Object.entries(fields).flatMap(byKey)) {
    const values = [value].flat().filter((one) => isSent(name, one));
    const texts = values.map((one) => encodeURIComponent(typeof one === 'string' ? one : JSON.stringify(one)));
    const key = encodeURIComponent(name);
    // The values of a key of the metadata may hold commas.
    const given = name.includes('.') ? texts : texts.length === 0 ? [] : [texts.join(',')];
    parts.push(...given.map((text) => ({ name, text: `${key}=${text}` })));
  }
  const counted = parts.filter(({ name }) => name !== 'cursor');
  if (joined(counted).length >= MAX_QUERY) {
    const longest = counted.reduce((most, part) => (part.text.length > most.text.length ? part : most));
    throw invalid(
      pointerOf(longest.name),
      `makes a query of more than ${MAX_QUERY} characters: ask for fewer values at once`,
    );
  }
  return parts.length === 0 ? '' : `?${joined(parts)}`;
}

function joined(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('&');
}

/** @throws `invalid-input` for a parameter that must not be null */
function isSent(name: string, value: unknown): boolean {
  if (value === null && name !== NULLABLE) throw invalid(pointerOf(name), 'must not be null');
  return value !== null;
}

function pointerOf(parameter: string): string {
  return `/${parameter.replace('.', '/')}`;
}
