import type { Engine } from '../../../core/engine.ts';
import type { Authentication } from '../request/authentication.ts';
import { streams, type Stream } from '../../schemas/index.ts';
import { routeAt, type Handler, type Route } from '../request/request-context.ts';
import type { ServiceLimits } from '../limits/limits.ts';
import type { HttpOptions } from '../options.ts';
import { importHandler } from './import.ts';
import { exportOf, snapshotOf, workspaceLines } from './workspace-lines.ts';

/** Export and import of workspaces, and snapshots. They are streams, so they have no row in the table of operations. */
export function transferRoutes(
  options: HttpOptions,
  engine: Engine,
  authentication: Authentication,
  limits: ServiceLimits,
): readonly Route[] {
  return [
    route(streams.export, workspaceLines(options, authentication, exportOf(engine, limits))),
    route(streams.snapshot, workspaceLines(options, authentication, snapshotOf(engine, limits))),
    route(streams.import, importHandler(options, engine, authentication)),
  ];
}

function route({ useCase, method, path }: Stream, handle: Handler): Route {
  return routeAt(path, method, { operationId: useCase, handle }, false);
}
