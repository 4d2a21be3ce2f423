import type { PageView } from '../../core/page/view.ts';
import type { NamedRecord } from './resolve-name.ts';

/** Pages with their names: each by itself, as a path, and as a path that begins with a slash. */
export function namedPages(pages: readonly PageView[]): readonly NamedRecord[] {
  const paths = pathsOf(pages);
  return pages.map(({ id, name, type }) => {
    const path = paths.get(id)!;
    return { id, names: [...new Set([name, path, `/${path}`])], shown: `${path} (${type})` };
  });
}

/** The path of each page, by id: `Engineering/Launch`. */
export function pathsOf(pages: readonly PageView[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  // Parents come before children.
  for (const page of pages) {
    const above = page.parentId === null ? undefined : paths.get(page.parentId);
    paths.set(page.id, above === undefined ? page.name : `${above}/${page.name}`);
  }
  return paths;
}
