import { EspalierError } from '../kernel/errors.ts';
import { keyBetween } from '../kernel/order-key.ts';
import { MAX_MOVED, rebalance } from '../kernel/rebalance.ts';
import type { Page } from '../model/workspace/page.ts';

export interface PagePlacement {
  readonly orderKey: number;
  /** Siblings with new keys, if there was no room between the neighbours. */
  readonly moved: readonly Page[];
}

/** A place among siblings: right after one of them. */
export interface SiblingPlace {
  readonly workspaceId: string;
  readonly parentId: string | null;
  /** Null: before all. */
  readonly afterId: string | null;
}

/** There is no room at a place. The engine then stores a job that makes room, see `respread-siblings.ts`. */
export class SiblingsCrowded extends EspalierError {
  readonly place: SiblingPlace;

  constructor(place: SiblingPlace) {
    super(
      'store-busy',
      'There is no room at this place among the pages. The pages are being moved apart: try again soon.',
    );
    this.place = place;
  }
}

interface Among {
  readonly workspaceId: string;
  readonly parentId: string | null;
  readonly siblings: readonly Page[];
}

/**
 * The order key that makes a page the one at a position among siblings. Others move only where there is no room, at most
 * `MAX_MOVED` of them. O(1) if there is room.
 *
 * @throws {@link SiblingsCrowded} if moving that many makes no room
 */
export function placeAmong(among: Among, position: number): PagePlacement {
  const { siblings } = among;
  const orderKey = keyBetween(siblings[position - 1]?.orderKey, siblings[position]?.orderKey);
  return orderKey === null ? makeRoom(among, position) : { orderKey, moved: [] };
}

/**
 * The keys of pages are never shown. Pages that make room keep their versions, as the page that is placed may be hidden
 * from readers.
 */
function makeRoom({ workspaceId, parentId, siblings }: Among, position: number): PagePlacement {
  const keysOf = (pages: readonly Page[]) => pages.map(({ orderKey }) => orderKey);
  const below = keysOf(siblings.slice(Math.max(0, position - MAX_MOVED - 1), position)).toReversed();
  const room = rebalance({ below, above: keysOf(siblings.slice(position, position + MAX_MOVED + 1)) }, 1, MAX_MOVED);
  if (room === null) throw new SiblingsCrowded({ workspaceId, parentId, afterId: siblings[position - 1]?.id ?? null });
  const orderKey = room.keys[0]!;
  const first = position - room.moves.filter(({ to }) => to < orderKey).length;
  const moved = room.moves.map(({ to }, n) => ({ ...siblings[first + n]!, orderKey: to }));
  return { orderKey, moved };
}
