import type { Engine } from '../../../core/engine.ts';
import type { Authentication } from '../authentication.ts';
import type { Route } from '../exchange.ts';
import type { HttpOptions } from '../options.ts';
import { exportHandler } from './export.ts';
import { importHandler } from './import.ts';

/** Whole workspaces, in and out. They are streams, and so have no row in the table of operations. */
export function transferRoutes(options: HttpOptions, engine: Engine, authentication: Authentication): readonly Route[] {
  const out = exportHandler(options, engine, authentication);
  const into = importHandler(options, engine, authentication);
  return [
    { path: '/api/workspace/{id}/export', methods: new Map([['GET', out]]), open: false },
    { path: '/api/import', methods: new Map([['POST', into]]), open: false },
  ];
}
