import { v4 as randomUuid } from 'uuid';
import { invalid } from '../../core/kernel/errors.ts';
import type { CallOptions } from '../../core/session.ts';
import { fieldOf, hasBody, isInQuery } from '../schemas/operation.ts';
import { segmentOf } from './path.ts';
import type { Route } from './routes.ts';

export interface HttpRequest {
  readonly method: Route['method'];
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
export function requestOf(route: Route, input: object, call: CallOptions): HttpRequest {
  const { method, path } = route;
  const rest: Record<string, unknown> = { ...input };
  const { wait: seconds } = rest;
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const field = fieldOf(parameter);
    const value = rest[field];
    delete rest[field];
    if (typeof value !== 'string') throw invalid(`/${field}`, 'must be a string');
    return segmentOf(value);
  });
  const headers: Record<string, string> = { accept: 'application/json' };
  // The service compares the version in an entity tag, not the digest after it.
  if (call.ifVersion !== undefined) headers['if-match'] = call.ifVersion.map((version) => `"${version}-"`).join(', ');
  if (call.requestId !== undefined) headers['x-request-id'] = call.requestId;
  // An answer with a secret is not kept, so the service refuses a repeated request for one.
  if (method === 'POST' && route.secret !== 'once')
    headers['idempotency-key'] = call.idempotencyKey?.key ?? randomUuid();
  // After a change that did happen, a repeated PUT would find another version than it expects.
  const asBefore = method === 'GET' || (method === 'PUT' && call.ifVersion === undefined);
  const repeatable = asBefore || headers['idempotency-key'] !== undefined;
  if (!hasBody(method)) {
    const wait = typeof seconds === 'number' ? seconds * 1_000 : 0;
    const signal = method === 'GET' ? (call.signal as AbortSignal | undefined) : undefined;
    return { method, path: filled + queryOf(rest), headers, repeatable, wait, signal };
  }
  headers['content-type'] = 'application/json';
  const [query, body] = [true, false].map((inQuery) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => isInQuery(method, name) === inQuery)),
  );
  return { method, path: filled + queryOf(query!), headers, body: JSON.stringify(body), repeatable };
}

/** A filter by keys, as the service takes it: `metadata.KEY=VALUE`. */
function byKey([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).map(([key, one]) => [`${name}.${key}`, one]);
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields).flatMap(byKey)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one !== undefined && one !== null) query.append(name, typeof one === 'string' ? one : JSON.stringify(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
