import type { LoggedChange, NewChange, NewEntry } from '../../../core/model/log/change.ts';

/** A stored change that is an entry of a history. */
export interface ChainedChange extends LoggedChange, NewEntry {
  /** The place of the entry before it in that history; 0: it is the first. */
  readonly previous: number;
  /** Of the entry in that history, from 1. */
  readonly number: number;
  /** Some name the place of an entry that is further back, see store-kv/history/histories.ts. */
  readonly stride?: number;
}

export function isChained(change: LoggedChange): change is ChainedChange {
  return (change as Partial<ChainedChange>).previous !== undefined;
}

/** Field by field, as below: stores know records of this shape, and keep them in few bytes. */
export function loggedAt(change: Omit<NewChange, 'entry'>, seq: number, part: number): LoggedChange {
  return {
    seq,
    part,
    kind: change.kind,
    action: change.action,
    recordId: change.recordId,
    version: change.version,
    pageId: change.pageId,
    fromPageId: change.fromPageId,
    boardId: change.boardId,
    fromBoardId: change.fromBoardId,
    taskId: change.taskId,
    fields: change.fields,
    userId: change.userId,
    requestId: change.requestId,
    at: change.at,
    revision: change.revision,
    fromRevision: change.fromRevision,
  };
}

export function chainedAt(
  change: NewChange,
  { verb, changes }: NewEntry,
  seq: number,
  part: number,
  previous: number,
  number: number,
): ChainedChange {
  return {
    seq,
    part,
    kind: change.kind,
    action: change.action,
    recordId: change.recordId,
    version: change.version,
    pageId: change.pageId,
    fromPageId: change.fromPageId,
    boardId: change.boardId,
    fromBoardId: change.fromBoardId,
    taskId: change.taskId,
    fields: change.fields,
    userId: change.userId,
    requestId: change.requestId,
    at: change.at,
    revision: change.revision,
    fromRevision: change.fromRevision,
    verb,
    changes,
    previous,
    number,
  };
}

/** The change as the feed has it. */
export function withoutEntry(change: LoggedChange): LoggedChange {
  return isChained(change) ? loggedAt(change, change.seq, change.part) : change;
}
