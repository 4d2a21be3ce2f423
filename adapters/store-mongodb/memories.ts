import type { Doc } from './access.ts';
import type { Tails } from './tails.ts';

/** What the last transaction of a workspace knew when it was committed. */
export interface Memory {
  /** Of the workspace's lock document as that transaction left it. Whoever writes in the workspace raises it. */
  readonly seq: number;
  readonly boards: readonly Doc[];
  readonly tails: Tails;
}

const MOST_WORKSPACES = 500;
const MOST_BOARDS = 20;
const MOST_TAILS = 200;

/** Memories of workspaces, the oldest dropped first. Each holds as long as nobody else has written there. */
export class Memories {
  readonly #memories = new Map<string, Memory>();

  /** @param seq of the lock document before the asking transaction */
  at(workspaceId: string, seq: number): Memory | undefined {
    const memory = this.#memories.get(workspaceId);
    return memory?.seq === seq ? memory : undefined;
  }

  put(workspaceId: string, { seq, boards, tails }: Memory): void {
    this.#memories.delete(workspaceId);
    this.#memories.set(workspaceId, {
      seq,
      boards: boards.slice(-MOST_BOARDS),
      tails: new Map([...tails].slice(-MOST_TAILS)),
    });
    for (const oldest of this.#memories.keys()) {
      if (this.#memories.size <= MOST_WORKSPACES) break;
      this.#memories.delete(oldest);
    }
  }
}
