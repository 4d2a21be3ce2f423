import type { Engine } from '../../../core/engine.ts';
import type { Authentication } from '../request/authentication.ts';
import { streams, type Stream } from '../../schemas/index.ts';
import { routeAt, type Handler, type Route } from '../request/request-context.ts';
import type { HttpOptions } from '../options.ts';
import { exportHandler } from './export.ts';
import { importHandler } from './import.ts';

/** Export and import of workspaces. They are streams, so they have no row in the table of operations. */
export function transferRoutes(options: HttpOptions, engine: Engine, authentication: Authentication): readonly Route[] {
  return [
    route(streams.export, exportHandler(options, engine, authentication)),
    route(streams.import, importHandler(options, engine, authentication)),
  ];
}

function route({ useCase, method, path }: Stream, handle: Handler): Route {
  return routeAt(path, method, { operationId: useCase, handle }, false);
}
