import type { Engine } from '../../core/engine.ts';
import { operations } from '../schemas/index.ts';
import type { Authentication } from './authentication.ts';
import type { Handler, Route } from './exchange.ts';
import type { Limits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { openRoutes } from './open-routes.ts';
import { operationHandler } from './operation-handler.ts';
import type { HttpOptions } from './options.ts';
import { transferRoutes } from './transfer/routes.ts';

/** Every path there is. */
export function routesOf(
  options: HttpOptions,
  engine: Engine,
  authentication: Authentication,
  limits: Limits,
  numbers: Metrics,
  isDraining: () => boolean,
): readonly Route[] {
  const byPath = new Map<string, Map<string, Handler>>();
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<string, Handler>();
    byPath.set(operation.path, methods);
    const handler = operationHandler(operation, engine, authentication, limits, options);
    methods.set(operation.method, handler);
  }
  const rows = [...byPath].map(([path, methods]) => ({ path, methods, open: false }));
  const transfers = transferRoutes(options, engine, authentication);
  return [...rows, ...transfers, ...openRoutes(options, isDraining), metricsRoute(authentication, numbers)];
}

function metricsRoute(authentication: Authentication, numbers: Metrics): Route {
  const handler: Handler = async (exchange) => {
    await authentication.requireAdministrator(await authentication.callerOf(exchange));
    return { status: 200, headers: { 'content-type': numbers.contentType }, body: await numbers.text() };
  };
  return { path: '/metrics', methods: new Map([['GET', handler]]), open: false };
}
