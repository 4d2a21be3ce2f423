import type { Engine } from '../../../core/engine.ts';
import type { Authentication } from '../request/authentication.ts';
import { routeAt, type Route } from '../request/request-context.ts';
import type { HttpOptions } from '../options.ts';
import { exportHandler } from './export.ts';
import { importHandler } from './import.ts';

/** Whole workspaces, in and out. They are streams, and so have no row in the table of operations. */
export function transferRoutes(options: HttpOptions, engine: Engine, authentication: Authentication): readonly Route[] {
  const out = exportHandler(options, engine, authentication);
  const into = importHandler(options, engine, authentication);
  return [
    routeAt('/api/workspace/{id}/export', 'GET', { operationId: 'exports.workspace', handle: out }, false),
    routeAt('/api/import', 'POST', { operationId: 'imports.workspace', handle: into }, false),
  ];
}
