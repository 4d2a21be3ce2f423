import type { Write } from '../query/query.ts';
import { countsId, type Place, type StatusCounts } from '../task/status-counts.ts';
import type { LayeredMap, Layers } from './layers.ts';

interface Change {
  readonly place: Place;
  readonly by: number;
}

/** What the writers of one transaction change about the counts of statuses. It is sent with the locks. */
export class CountChanges {
  readonly #changes: LayeredMap<Change>;

  constructor(layers: Layers) {
    this.#changes = layers.map();
  }

  add(place: Place, by: number): void {
    const key = `${place.boardId} ${place.statusId}`;
    this.#changes.set(key, { place, by: (this.#changes.get(key)?.by ?? 0) + by });
  }

  /** Drops what is known of a board: it is removed, with its counts. */
  drop(boardId: string): void {
    for (const [key, { place }] of this.#changes.entries()) {
      if (place.boardId === boardId) this.#changes.set(key, { place, by: 0 });
    }
  }

  /** Counts as they were read, with these changes. */
  applied(stored: Map<string, Map<string, number>>, workspaceId: string): StatusCounts {
    for (const { place, by } of this.#changes.entries().values()) {
      if (place.workspaceId !== workspaceId) continue;
      const counts = stored.get(place.boardId) ?? new Map<string, number>();
      stored.set(place.boardId, counts.set(place.statusId, (counts.get(place.statusId) ?? 0) + by));
    }
    return stored;
  }

  /** One for each board. What comes to nothing is not kept. */
  writes(): Write[] {
    const byBoard = new Map<string, Record<string, unknown>>();
    for (const { place, by } of this.#changes.entries().values()) {
      if (by === 0) continue;
      const id = countsId(place.workspaceId, place.boardId);
      const field = `tasks.${place.statusId}`;
      byBoard.set(id, { ...byBoard.get(id), [field]: sum(`$${field}`, by) });
    }
    return Array.from(byBoard, ([_id, fields]) => ({
      updateOne: { filter: { _id }, update: [{ $set: fields }], upsert: true },
    }));
  }
}

function sum(field: string, by: number) {
  const count = { $add: [{ $ifNull: [field, 0] }, by] };
  return { $let: { vars: { count }, in: { $cond: [{ $eq: ['$$count', 0] }, '$$REMOVE', '$$count'] } } };
}
