import type { HistoryKind, HistoryOf } from '../../../core/model/log/history-entry.ts';
import { idKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv, KvValue } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';

/** The end of the history of a record. */
export interface HistoryEnd {
  /** The offset of its last entry in the change log. */
  readonly offset: number;
  /** The number of entries so far, including removed ones. */
  readonly count: number;
}

const NONE: HistoryEnd = { offset: 0, count: 0 };

const KINDS: Readonly<Record<HistoryKind, string>> = { task: 't', board: 'b', page: 'p' };

/** @param workspaceKey the short key of the workspace */
export function endKey(workspaceKey: string, kind: HistoryKind, recordId: string): string {
  return PREFIX.historyEnd + workspaceKey + KINDS[kind] + idKey(recordId);
}

/** An end as stored by earlier releases. */
interface EarlierEnd {
  readonly place: number;
  readonly count: number;
}

/** The end that is the value of a key, if any. */
export function endIn(value: KvValue | undefined): HistoryEnd | undefined {
  if (typeof value !== 'object') return undefined;
  const end = value as HistoryEnd | EarlierEnd;
  return 'offset' in end ? end : { offset: end.place, count: end.count };
}

/** The key of the entry of a task in the index by update; undefined: there is no such task. */
export type UpdateKey = (workspaceId: string, taskId: string) => string | undefined;

/**
 * The ends of the histories of records. That of a task is the value of its entry in the index by update: each change of
 * the task writes that anew, so its history takes no page of a file and no node of a tree of its own. The ends of other
 * records, and of tasks in the trash, have keys of their own.
 */
export class HistoryEnds {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #updateKey: UpdateKey;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, updateKey: UpdateKey) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#updateKey = updateKey;
  }

  get(of: HistoryOf): HistoryEnd {
    const inIndex = this.#inIndex(of);
    const end = inIndex === undefined ? undefined : endIn(this.#kv.get(inIndex));
    return end ?? endIn(this.#kv.get(this.#own(of))) ?? NONE;
  }

  /** Moves the end on to a new entry. @returns where it was */
  advance(of: HistoryOf, offset: number): HistoryEnd {
    const inIndex = this.#inIndex(of);
    const known = inIndex === undefined ? undefined : endIn(this.#kv.get(inIndex));
    if (inIndex !== undefined && known !== undefined) {
      this.#kv.put(inIndex, { offset, count: known.count + 1 } satisfies HistoryEnd);
      return known;
    }
    const own = this.#own(of);
    const end = endIn(this.#kv.get(own)) ?? NONE;
    // The task has come back from the trash.
    if (inIndex !== undefined && end !== NONE) this.#kv.remove(own);
    this.#kv.put(inIndex ?? own, { offset, count: end.count + 1 } satisfies HistoryEnd);
    return end;
  }

  /** @param end null: the history is gone */
  put(of: HistoryOf, end: HistoryEnd | null): void {
    const inIndex = this.#inIndex(of);
    const own = this.#own(of);
    if (inIndex !== undefined) this.#kv.put(inIndex, end ?? '');
    else if (end !== null) this.#kv.put(own, end);
    if (end === null && this.#kv.get(own) !== undefined) this.#kv.remove(own);
  }

  #inIndex({ workspaceId, kind, recordId }: HistoryOf): string | undefined {
    return kind === 'task' ? this.#updateKey(workspaceId, recordId) : undefined;
  }

  #own({ workspaceId, kind, recordId }: HistoryOf): string {
    return endKey(this.#workspaceKeys.allocate(workspaceId), kind, recordId);
  }
}
