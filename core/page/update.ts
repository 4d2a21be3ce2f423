import type { PageAddress } from '../model/address.ts';
import { EDIT, FULL, VIEW } from '../model/access/level.ts';
import { levelOn, requireLevel, viewerAfter } from '../access/viewer.ts';
import { renameBoard } from '../board/rename.ts';
import type { Context } from '../ports/context.ts';
import { unusable } from '../kernel/errors.ts';
import { metadataOf, recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, expectVersion, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { renameTask } from '../task/rename.ts';
import { write } from '../write/transaction.ts';
import { type Page, withTemplate } from '../model/workspace/page.ts';
import { placeAt, requireEditingParent, requireOutside, requireParent } from './place.ts';
import { pageAt } from './read.ts';
import { pageView, type PageView } from './view.ts';

/** What `pages.update` takes: a page, and the fields to change. */
export interface UpdatePage extends PageAddress, WritesMetadata {
  /** 1-500 characters, trimmed; also the name of its content. */
  readonly name?: string;
  /** The page above; null: the top. */
  readonly parentId?: string | null;
  /** 0-based among the siblings that the caller sees; past the end means last. */
  readonly orderIndex?: number;
  /** Whether lists of tasks omit the tasks on this page and on all pages below. */
  readonly template?: boolean;
}

/**
 * Renames, moves or reorders a page. Its content is renamed with it. A moved page keeps its own entries and settings,
 * and inherits from its new path at once. A `parentId` equal to the one shown to the caller is not a move. As a move does,
 * `template` needs full access: it changes what everybody is shown of all that is below the page.
 *
 * @throws `page-cycle` for a move of a page into its own subtree
 * @throws `unusable-reference` for an `orderIndex` among pages with a hidden parent
 */
export function updatePage(context: Context, input: UpdatePage): Promise<PageView> {
  return write(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, VIEW);
    const shown = await pageView(viewer, page);
    const writable = ['name', 'parentId', 'orderIndex', 'template'] as const;
    const { changes, metadata, isEmpty } = recordChanges(page, input, shown, writable, ['pageId']);
    const { parentId } = changes;
    requireLevel(levelOn(viewer, page.id), parentId === undefined && changes.template === undefined ? EDIT : FULL);
    if (parentId !== undefined) requireEditingParent(viewer, parentId);
    expectVersion(context, page);
    if (isEmpty) return shown;
    // Pages with a hidden parent are shown in the order of their ids, not in that of the tree.
    if (shown.parentHidden && parentId === undefined && changes.orderIndex !== undefined) throw unusable('orderIndex');
    if (parentId !== undefined) {
      requireParent(viewer, parentId);
      requireOutside(viewer, page, parentId);
    }
    const at = timestamp(context);
    const name = changes.name?.trim() ?? page.name;
    const parent = parentId === undefined ? page.parentId : parentId;
    // Under a new parent, an index equal to the old one is a new position.
    const index = parentId === undefined ? changes.orderIndex : input.orderIndex;
    const stays = parentId === undefined && index === undefined;
    const { orderKey, moved } = stays
      ? { orderKey: page.orderKey, moved: [] }
      : await placeAt(viewer, page, parent, index ?? Infinity);
    const { orderIndex: _, ...others } = changes;
    const isOther = Object.keys(others).length > 0 || metadata !== metadataOf(page);
    if (!isOther && moved.length === 0 && orderKey === page.orderKey) return shown;
    const written = withTemplate(withMetadata(page, metadata), changes.template ?? shown.template);
    const next = changed(written, { name, parentId: parent, orderKey }, at);
    const structure = await tx.structures.change(viewer.structure, { pages: [...moved, next] });
    if (name !== page.name) await nameContent(tx, next, at);
    return pageView(viewerAfter(viewer, structure), next);
  });
}

async function nameContent(tx: Transaction, page: Page, at: string): Promise<void> {
  if (page.contentId === null) return;
  await (page.type === 'board' ? renameBoard : renameTask)(tx, page.workspaceId, page.contentId, page.name, at);
}
