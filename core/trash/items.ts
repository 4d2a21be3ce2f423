import type { WorkspaceAddress } from '../model/address.ts';
import { viewerOf, type Viewer } from '../access/viewer.ts';
import { type ListInTime, visibleSlice } from '../access/visible-slice.ts';
import { notFound } from '../kernel/errors.ts';
import { listKey } from '../kernel/list-cursor.ts';
import { DEFAULT_LIMIT, type Slice, type Paging, type Expanding } from '../kernel/record.ts';
import { FULL } from '../model/access/level.ts';
import type { TrashItem } from '../model/trash-item.ts';
import { memberNames, type MemberName, shownMemberId } from '../names/names.ts';
import type { Context } from '../ports/context.ts';
import { INLINE_LIMIT } from '../page/subtree.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Precomputed } from '../ports/precomputed.ts';
import { purgeItem } from '../purge/trash.ts';
import { writeOrPlan } from '../write/write-or-plan.ts';
import { read, write } from '../write/transaction.ts';
import { TrashedSubtreeTooLarge } from './subtree.ts';
import { takeFromTrash } from './totals.ts';
import { couldDelete, levelsOnItem, levelsOnItems, requireDeletable, type TrashLevels } from './rights.ts';

/** What can be expanded in an item of the trash. */
export const TRASH_EXPANSIONS = ['deletedBy'] as const;
/** An id of an item of the trash that `expand` resolves to a name. */
export type TrashExpansion = (typeof TRASH_EXPANSIONS)[number];

/** What `trash.list` takes. */
export interface ListTrash extends WorkspaceAddress, Paging, Expanding<TrashExpansion> {}

/** Which item of the trash: what `trash.delete` takes. */
export interface TrashAddress extends WorkspaceAddress {
  /** The item: the id of the deleted page, board or task. */
  readonly trashId: string;
}

/** An item of the trash as it is read. */
export interface TrashView extends Pick<TrashItem, 'id' | 'workspaceId' | 'kind' | 'name' | 'deletedAt' | 'purgeAt'> {
  /** The member who deleted it. Null if the caller is a guest and did not delete it. */
  readonly deletedById: string | null;
  /** The number of a task; null for pages and boards. */
  readonly num: number | null;
  /** Present if requested with `expand`. */
  readonly expanded?: TrashNames;
}

/** The names of the ids in an item of the trash. */
export interface TrashNames {
  /** The member who deleted it. Null if `deletedById` is null. */
  readonly deletedBy?: MemberName | null;
}

/** The most items that one call checks: each takes the levels on the pages below it. */
const MAX_CHECKED = 1_000;

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The items of the trash that the caller could delete, newest first. A slice may hold fewer items than its limit, even
 * none, and still have a `next`. O(1,000 items), and those deleted in one millisecond.
 */
export function listTrash(context: Context, input: ListTrash): Promise<Slice<TrashView>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const { workspaceId, limit = DEFAULT_LIMIT } = input;
    const list: ListInTime<TrashItem> = {
      key: listKey('trash', { workspaceId }),
      read: (position, some) => {
        const after = position === null ? null : { deletedAt: position.time, id: position.id ?? FIRST_ID };
        return tx.trash.list('ofWorkspace', { workspaceId }, { after, limit: some, descending: true });
      },
      timeOf: ({ deletedAt }) => deletedAt,
      areVisible: async (items) => {
        const levels = await levelsOnItems(tx, context, viewer, items);
        return items.map((item) => couldDelete(viewer, item, levels.get(item.id)!));
      },
      most: MAX_CHECKED,
    };
    return withViews(tx, viewer, await visibleSlice(list, input.cursor, limit), input);
  });
}

async function withViews(
  tx: ReadTransaction,
  viewer: Viewer,
  { items, next }: Slice<TrashItem>,
  { expand = [] }: ListTrash,
): Promise<Slice<TrashView>> {
  const views = items.map((item) => trashView(viewer, item));
  if (!expand.includes('deletedBy')) return { items: views, next };
  const nameOf = await memberNames(
    tx,
    viewer,
    views.map(({ deletedById }) => deletedById),
  );
  const named = (by: string | null) => ({ deletedBy: by === null ? null : nameOf(by) });
  return { items: views.map((view) => ({ ...view, expanded: named(view.deletedById) })), next };
}

function trashView(viewer: Viewer, item: TrashItem): TrashView {
  const { id, workspaceId, kind, name, task, deletedAt, purgeAt } = item;
  const deletedById = shownMemberId(viewer, item.deletedById);
  return { id, workspaceId, kind, num: task?.num ?? null, name, deletedById, deletedAt, purgeAt };
}

/**
 * An item of the trash, with the viewer's levels on it.
 *
 * @param most pages that may be looked at
 * @throws `not-found`, TrashedSubtreeTooLarge
 */
export async function itemAt(
  tx: ReadTransaction,
  context: Context,
  viewer: Viewer,
  { workspaceId, trashId }: TrashAddress,
  most: number,
): Promise<{ readonly item: TrashItem; readonly levels: TrashLevels }> {
  const item = await tx.trash.get(workspaceId, trashId);
  if (item === null) throw notFound();
  return { item, levels: await levelsOnItem(tx, context, viewer, item, most) };
}

/**
 * Deletes an item of the trash for good. What is below it is removed in steps. If all pages below it must be examined,
 * that is first done on a snapshot, so that no writer waits for it.
 *
 * @throws `not-found`, `forbidden`, `hidden-content`
 */
export function deleteTrashed(context: Context, input: TrashAddress): Promise<void> {
  return writeOrPlan(context, {
    workspaceId: input.workspaceId,
    tooLarge: TrashedSubtreeTooLarge,
    most: INLINE_LIMIT,
    work: (own, most) => write(own, (tx) => remove(tx, own, input, most)),
    plan: (own) =>
      read(own, async (tx) => {
        const viewer = await viewerOf(tx, own, input.workspaceId);
        const precomputed: Precomputed = { structure: viewer.structure };
        await itemAt(tx, { ...own, precomputed }, viewer, input, Infinity);
        return precomputed;
      }),
  });
}

async function remove(tx: Transaction, context: Context, input: TrashAddress, most: number): Promise<void> {
  const viewer = await viewerOf(tx, context, input.workspaceId);
  const { item, levels } = await itemAt(tx, context, viewer, input, most);
  requireDeletable(viewer, item, levels, FULL);
  await takeFromTrash(tx, item);
  await purgeItem(tx, context, item);
}
