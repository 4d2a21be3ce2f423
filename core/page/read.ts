import type { Expanding } from '../kernel/record.ts';
import type { PageAddress, WorkspaceAddress } from '../model/address.ts';
import { VIEW } from '../model/access/level.ts';
import { viewerOf, levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { throwIfCopyFailed } from '../copy/failed.ts';
import { found, notFound } from '../kernel/errors.ts';
import { visitItems } from '../kernel/stepwise.ts';
import { read } from '../write/transaction.ts';
import { memberNames, pageName } from '../names/names.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Page } from '../model/workspace/page.ts';
import { pageView, pageViews, type PageNames, type PageView } from './view.ts';

/** What can be expanded in a page. */
export const PAGE_EXPANSIONS = ['parent', 'createdBy'] as const;
/** An id of a page that `expand` resolves to a name. */
export type PageExpansion = (typeof PAGE_EXPANSIONS)[number];

/** What `pages.list` takes. */
export interface ListPages extends WorkspaceAddress, Expanding<PageExpansion> {}

/** What `pages.get` takes. */
export interface GetPage extends PageAddress, Expanding<PageExpansion> {}

/** Every page the caller sees, in tree order: parents before children, siblings in order. */
export function listPages(context: Context, input: ListPages): Promise<readonly PageView[]> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    return withNames(tx, viewer, await pageViews(viewer), input.expand);
  });
}

export function getPage(context: Context, input: GetPage): Promise<PageView> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const stored = viewer.structure.page(input.pageId);
    if (stored === undefined) await throwIfCopyFailed(tx, context, input.workspaceId, input.pageId, notFound());
    const page = await pageView(viewer, seenPage(viewer, input.pageId, VIEW));
    return (await withNames(tx, viewer, [page], input.expand))[0]!;
  });
}

/** @param pages new views, in which the names are set: copying so many takes much longer */
async function withNames(
  tx: ReadTransaction,
  viewer: Viewer,
  pages: readonly PageView[],
  expand: readonly PageExpansion[] = [],
): Promise<readonly PageView[]> {
  if (expand.length === 0) return pages;
  const asked = new Set(expand);
  const makers = new Set<string>();
  if (asked.has('createdBy')) {
    await visitItems(pages, viewer.yielder, ({ createdById }) => void makers.add(createdById));
  }
  const nameOf = await memberNames(tx, viewer, makers);
  const setNames = (page: Writable<PageView>): void => {
    const names: Writable<PageNames> = {};
    if (asked.has('parent')) names.parent = pageName(viewer, page.parentId);
    if (asked.has('createdBy')) names.createdBy = nameOf(page.createdById);
    page.expanded = names;
  };
  await visitItems(pages, viewer.yielder, setNames);
  return pages;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** @throws `not-found` if the caller may not see it, `forbidden` below the needed level */
export async function pageAt(
  tx: ReadTransaction,
  context: Context,
  { workspaceId, pageId }: PageAddress,
  needs: 100 | 200 | 300 | 400,
): Promise<{ readonly viewer: Viewer; readonly page: Page }> {
  const viewer = await viewerOf(tx, context, workspaceId);
  return { viewer, page: seenPage(viewer, pageId, needs) };
}

/** As {@link pageAt}, for a caller who is known. */
export function seenPage(viewer: Viewer, pageId: string, needs: 100 | 200 | 300 | 400): Page {
  requireLevel(levelOn(viewer, pageId), needs);
  return found(viewer.structure.page(pageId));
}
