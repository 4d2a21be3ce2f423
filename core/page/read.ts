import { VIEW } from '../model/level.ts';
import { viewerOf, levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { found } from '../kernel/errors.ts';
import { read } from '../write/transaction.ts';
import type { Page } from '../model/page.ts';
import { pageView, pageViews, type PageView } from './view.ts';

/** Every page the caller sees, in tree order: parents before children, siblings in order. */
export function listPages(context: Context, input: { readonly workspaceId: string }): Promise<readonly PageView[]> {
  return read(context, async (tx) => pageViews(await viewerOf(tx, context, input.workspaceId)));
}

export function getPage(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string },
): Promise<PageView> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    return pageView(viewer, pageAt(viewer, input.pageId, VIEW));
  });
}

/** @throws `not-found` when the viewer may not see it, `forbidden` below what is needed */
export function pageAt(viewer: Viewer, pageId: string, needs: 100 | 200 | 300 | 400): Page {
  requireLevel(levelOn(viewer, pageId), needs);
  return found(viewer.structure.page(pageId));
}
