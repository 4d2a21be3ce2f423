import type { Metrics } from '../metrics/index.ts';
import { operations } from '../schemas/index.ts';
import type { Authentication } from './request/authentication.ts';
import { routeAt, type Endpoint, type Handler, type Route } from './request/request-context.ts';
import type { HttpParts } from './http-parts.ts';
import { publicRoutes } from './public/routes.ts';
import { operationHandler } from './operation-handler.ts';
import { transferRoutes } from './transfer/routes.ts';

/** All routes. */
export function routesOf(parts: HttpParts): readonly Route[] {
  const { options, engine, authentication, limits, metrics, isDraining } = parts;
  const byPath = new Map<string, Map<string, Endpoint>>();
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<string, Endpoint>();
    byPath.set(operation.path, methods);
    const handle = operationHandler(operation, parts);
    methods.set(operation.method, { operationId: operation.useCase, handle });
  }
  const rows = [...byPath].map(([path, methods]) => ({ path, methods, isPublic: false }));
  const transfers = transferRoutes(options, engine, authentication, limits);
  return [...rows, ...transfers, ...publicRoutes(options, isDraining), metricsRoute(authentication, metrics)];
}

function metricsRoute(authentication: Authentication, metrics: Metrics): Route {
  const handle: Handler = async (context) => {
    await authentication.requireAdministrator(await authentication.callerOf(context));
    return { status: 200, headers: { 'content-type': metrics.contentType }, body: await metrics.text() };
  };
  return routeAt('/metrics', 'GET', { operationId: 'metrics', handle }, false);
}
