import type { Doc } from '../query/query.ts';
import type { ColumnEnds } from '../task/column-ends.ts';

/** What the last transaction of a workspace knew when it was committed. */
export interface CachedWorkspace {
  /** Of the workspace's lock document as that transaction left it. Whoever writes in the workspace raises it. */
  readonly seq: number;
  readonly boards: readonly Doc[];
  readonly ends: ColumnEnds;
}

const MOST_WORKSPACES = 500;
const MOST_BOARDS = 20;
const MOST_COLUMN_ENDS = 200;

/** WorkspaceCache of workspaces, the oldest dropped first. Each holds as long as nobody else has written there. */
export class WorkspaceCache {
  readonly #workspaceCache = new Map<string, CachedWorkspace>();

  /** @param seq of the lock document before the asking transaction */
  at(workspaceId: string, seq: number): CachedWorkspace | undefined {
    const memory = this.#workspaceCache.get(workspaceId);
    return memory?.seq === seq ? memory : undefined;
  }

  put(workspaceId: string, { seq, boards, ends }: CachedWorkspace): void {
    this.#workspaceCache.delete(workspaceId);
    this.#workspaceCache.set(workspaceId, {
      seq,
      boards: boards.slice(-MOST_BOARDS),
      ends: new Map([...ends].slice(-MOST_COLUMN_ENDS)),
    });
    for (const oldest of this.#workspaceCache.keys()) {
      if (this.#workspaceCache.size <= MOST_WORKSPACES) break;
      this.#workspaceCache.delete(oldest);
    }
  }
}
