import { viewerOf, type Viewer } from '../access/viewer.ts';
import { notFound } from '../kernel/errors.ts';
import { cursorIn, listKey, positionIn } from '../kernel/list-cursor.ts';
import { DEFAULT_LIMIT, type Slice } from '../kernel/record.ts';
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
import { couldDelete, levelsInTrash, levelsOnItem, requireDeletable, type TrashLevels } from './rights.ts';

/** What can be expanded in an item of the trash. */
export const TRASH_EXPANSIONS = ['deletedBy'] as const;
export type TrashExpansion = (typeof TRASH_EXPANSIONS)[number];

export interface ListTrash {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** 1-500, default 100. */
  readonly limit?: number;
  /** The `next` of the previous slice. */
  readonly cursor?: string;
  /** Which ids of each item to resolve to names, in `expanded`. */
  readonly expand?: readonly TrashExpansion[];
}

export interface TrashAddress {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** The item: the id of the deleted page, board or task. */
  readonly trashId: string;
}

/** An item of the trash as it is read. */
export interface TrashView extends Pick<TrashItem, 'id' | 'workspaceId' | 'kind' | 'name' | 'deletedAt' | 'purgeAt'> {
  /** The member who deleted it; null for guests unless it was them. */
  readonly deletedById: string | null;
  /** The number of a task; null for pages and boards. */
  readonly num: number | null;
  /** Present if requested with `expand`. */
  readonly expanded?: TrashNames;
}

/** The names of the ids in an item of the trash. */
export interface TrashNames {
  /** The member who deleted it; null where `deletedById` is. */
  readonly deletedBy?: MemberName | null;
}

/**
 * The most items that one call checks, besides all others that were deleted at the same time as the last one. A caller
 * who may see few of them gets fewer than the limit.
 */
const MAX_CHECKED = 1_000;
const CHUNK = 100;

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * What is in the trash, newest first, as far as the caller could delete it. A part may hold less than its limit, even
 * nothing, and still have a next one. O(1,000 items), and those deleted in one millisecond.
 */
export function listTrash(context: Context, input: ListTrash): Promise<Slice<TrashView>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const { workspaceId } = input;
    const limit = input.limit ?? DEFAULT_LIMIT;
    const list = listKey('trash', { workspaceId });
    const shown: TrashItem[] = [];
    let after = placeIn(positionIn(list, input.cursor));
    let checked = 0;
    for (;;) {
      const part = { after, limit: CHUNK, descending: true };
      const some = await tx.trash.list('ofWorkspace', { workspaceId }, part);
      const levels = await levelsInTrash(tx, viewer, some);
      for (const item of some) {
        // A cursor does not name what may be hidden: it is after all that was deleted at one time.
        if (checked >= MAX_CHECKED && item.deletedAt !== after?.deletedAt) {
          return slice(
            tx,
            viewer,
            shown,
            cursorIn(list, placeOf({ deletedAt: after!.deletedAt, id: FIRST_ID })),
            input,
          );
        }
        checked += 1;
        after = item;
        if (!couldDelete(viewer, item, levels.get(item.id)!)) continue;
        if (shown.length === limit) return slice(tx, viewer, shown, cursorIn(list, placeOf(shown.at(-1)!)), input);
        shown.push(item);
      }
      if (some.length < CHUNK) return slice(tx, viewer, shown, null, input);
    }
  });
}

function placeOf({ deletedAt, id }: Pick<TrashItem, 'deletedAt' | 'id'>): string {
  return `${deletedAt} ${id}`;
}

function placeIn(position: string | null): Pick<TrashItem, 'deletedAt' | 'id'> | null {
  if (position === null) return null;
  const [deletedAt = '', id = ''] = position.split(' ');
  return { deletedAt, id };
}

async function slice(
  tx: ReadTransaction,
  viewer: Viewer,
  shown: readonly TrashItem[],
  next: string | null,
  { expand = [] }: ListTrash,
): Promise<Slice<TrashView>> {
  const views = shown.map((item) => trashView(viewer, item));
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
 * Deletes an item of the trash for good. Its access ends nothing more: what is below it is removed in steps. If all pages
 * below it are to be looked at, that is first done on a snapshot, so that no writer waits for it.
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
