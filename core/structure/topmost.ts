import type { Page } from '../page/page.ts';

/** Those of the pages whose parents are not among them. */
export function topmost(pages: readonly Page[]): readonly Page[] {
  const ids = new Set(pages.map((page) => page.id));
  return pages.filter((page) => page.parentId === null || !ids.has(page.parentId));
}
