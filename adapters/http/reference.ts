import type { Route } from './exchange.ts';

export function referenceRoutes(): readonly Route[] {
  return [];
}
