import type { LoggedChange, NewChange, NewEntry } from '../../../core/model/log/change.ts';
import {
  entryOf,
  historiesOf,
  type HistoryEntry,
  type HistoryOf,
  recordOf,
} from '../../../core/model/log/history-entry.ts';
import type { Doc } from '../query/query.ts';

/** What the document of a change has in addition if it is an entry of histories. */
interface EntryFields extends NewEntry {
  /** The histories that have the entry, by their keys. */
  readonly histories: readonly string[];
  /** Those of which it is the oldest entry, after older ones were removed. */
  readonly oldestOf?: readonly string[];
}

const ENTRY_FIELDS = ['histories', 'verb', 'changes', 'oldestOf'] as const satisfies (keyof EntryFields)[];
/** The projection of a change as the feed has it. */
export const WITHOUT_ENTRY = Object.fromEntries(ENTRY_FIELDS.map((field) => [field, 0] as const));
/** The update after which a change is no entry. */
export const REMOVE_ENTRY = { $unset: Object.fromEntries(ENTRY_FIELDS.map((field) => [field, 1] as const)) };

/** Names a history in the documents of its entries. */
export function historyKey({ kind, recordId }: Pick<HistoryOf, 'kind' | 'recordId'>): string {
  return `${kind} ${recordId}`;
}

export function changeId(workspaceId: string, offset: number): string {
  return `${workspaceId} ${offset}`;
}

/** @param entry null: the change is no entry */
export function entryFields(change: Omit<NewChange, 'entry'>, entry: NewEntry | null): EntryFields | null {
  if (entry === null) return null;
  const recordId = recordOf(change);
  return { ...entry, histories: historiesOf(change, entry).map((kind) => historyKey({ kind, recordId })) };
}

export function toLogDoc(workspaceId: string, offset: number, part: number, change: Omit<NewChange, 'entry'>): Doc {
  return { _id: changeId(workspaceId, offset), workspaceId, offset, part, ...change };
}

export function fromLogDoc({ _id: _, workspaceId: __, offset, part, ...change }: Doc): LoggedChange {
  const fields = change as unknown as Omit<NewChange, 'entry'>;
  return { seq: (offset as number) - (part as number), part: part as number, ...fields };
}

export function fromEntryDoc(of: HistoryOf, doc: Doc): HistoryEntry {
  return entryOf(of.kind, fromLogDoc(doc), doc as unknown as NewEntry, isOldestOf(of, doc));
}

export function isOldestOf(of: HistoryOf, { oldestOf }: Doc): boolean {
  return (oldestOf as EntryFields['oldestOf'])?.includes(historyKey(of)) === true;
}
