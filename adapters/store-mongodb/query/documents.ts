import { COLLECTION_NAMES } from '../../../core/model/collections.ts';
import { type Member, memberFrom, type StoredMember } from '../../../core/model/workspace/member.ts';
import { type Metadata, metadataOf, metadataText, type MetadataValue } from '../../../core/model/metadata.ts';
import type { MetadataIndex } from '../../../core/model/workspace/workspace.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import { entryFrom, storedEntries, type StoredEntry } from '../../../core/model/access/page-entry.ts';
import { type Task, taskFrom } from '../../../core/model/content/task.ts';
import { foldCase } from '../../../core/model/content/task-query.ts';
import { type Doc, inParts, type Query, type BulkWrite } from './query.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';

export interface HasId {
  readonly id: string;
}

/* oxlint-disable typescript/no-unnecessary-type-parameters -- the collection tells the type, and only the caller knows it */

/** A record as a document: with `_id` in place of `id`, and its metadata and that of its parts as pairs. */
export function toDoc(record: HasId): Doc {
  const { id, ...fields } = record;
  const doc: Doc = { _id: id, ...fields };
  eachWithMetadata(doc, (metadata) => Object.entries(metadata as Metadata).map(([k, v]): Pair => ({ k, v })));
  return doc;
}

export function fromDoc<T extends HasId>(doc: Doc): T {
  const { _id: id, ...fields } = doc;
  const record = { id, ...fields };
  eachWithMetadata(record, (pairs) => Object.fromEntries((pairs as readonly Pair[]).map(({ k, v }) => [k, v])));
  return record as unknown as T;
}

/** A key of the metadata and its value, as documents hold it. */
interface Pair {
  readonly k: string;
  readonly v: MetadataValue;
}

/** The parts of records that have metadata of their own: only boards have such parts. */
const PARTS = ['statuses', 'tags'] as const;

/**
 * Replaces the metadata of a record and of its parts. Metadata is stored as pairs, so that input of a caller never
 * becomes the name of a field. Most records have none.
 */
function eachWithMetadata(record: Record<string, unknown>, change: (metadata: unknown) => unknown): void {
  if (record['metadata'] !== undefined) record['metadata'] = change(record['metadata']);
  for (const name of PARTS) {
    const parts = record[name] as readonly Record<string, unknown>[] | undefined;
    if (parts?.some((part) => part['metadata'] !== undefined) !== true) continue;
    record[name] = parts.map((part) => {
      return part['metadata'] === undefined ? part : { ...part, metadata: change(part['metadata']) };
    });
  }
}

/** Pages and members carry the revision of the structure that wrote them last. */
export function toStructureDoc(record: HasId, revision: number): Doc {
  return { ...toDoc(record), revision };
}

function fromStructureDoc<T extends HasId>({ revision: _, ...doc }: Doc): T {
  return fromDoc<T>(doc);
}

export function fromMemberDoc(doc: Doc): Member {
  return memberFrom(fromStructureDoc<StoredMember>(doc));
}

/** Entries are stored as pairs, so that input of a caller never becomes the name of a field. */
export function toPageDoc(page: Page, revision: number): Doc {
  return { ...toStructureDoc(page, revision), entries: Object.entries(storedEntries(page.entries)) };
}

export function fromPageDoc(doc: Doc): Page {
  const page = fromStructureDoc<Page>(doc);
  const pairs = page.entries as unknown as [string, StoredEntry][];
  return { ...page, entries: Object.fromEntries(pairs.map(([memberId, entry]) => [memberId, entryFrom(entry)])) };
}

/** A projection without the fields of tasks that are derived for sorting and searching. */
export const WITHOUT_DERIVED = { order: 0, text: 0, indexed: 0 } as const;

/** Whether a document was read with its derived fields. */
export function hasDerived(from: string, doc: Doc): boolean {
  return from !== 'tasks' || 'order' in doc;
}

const COLLECTIONS: ReadonlySet<string> = new Set(COLLECTION_NAMES);

/** Whether a query lists whole documents of a workspace, without derived fields. */
export function givesWholeDocuments({ from, workspaceId, project, stagesBefore, stagesAfter, next }: Query): boolean {
  if (project === WITHOUT_DERIVED) return true;
  const isPlain =
    project === undefined && stagesBefore === undefined && stagesAfter === undefined && next === undefined;
  return isPlain && workspaceId !== undefined && COLLECTIONS.has(from);
}

/** Sorts after every date. */
export const NO_DATE = '~';

/** @param indexes the indexes of metadata of the workspace */
export function toTaskDoc(task: Task, indexes: readonly MetadataIndex[] = []): Doc {
  const metadata = metadataOf(task);
  const indexed = indexes.flatMap(({ key, id }) =>
    Object.hasOwn(metadata, key) ? [indexedValue(id, metadataText(metadata[key]!))] : [],
  );
  return {
    ...(indexed.length > 0 && { indexed }),
    ...toDoc(task),
    order: { title: unitOrder(task.title), dateStart: task.dateStart ?? NO_DATE, dateEnd: task.dateEnd ?? NO_DATE },
    text: { title: foldCase(task.title), description: foldCase(task.description) },
  };
}

/** The value in a document by which a task is in an index of metadata. */
export function indexedValue(index: string, text: string): string {
  return `${index} ${text}`;
}

export function fromTaskDoc({ order: _, text: __, indexed: ___, ...doc }: Doc): Task {
  return taskFrom(fromDoc<Task>(doc));
}

const LAST = '\u{10FFFF}';

/**
 * A text that sorts by code points, as the server sorts, like the given one by UTF-16 code units, as the engine does.
 * The two orders differ for U+E000 to U+FFFF: they come before all higher code points, but after surrogates.
 */
export function unitOrder(text: string): string {
  return text.replace(/[\uE000-\uFFFF]|\u{10FFFF}/gu, (char) => (char === LAST ? `${LAST}\u0001` : LAST + char));
}

/**
 * The state of a workspace in its lock document. Every write transaction that reads or writes anything of a workspace
 * writes to that document. It outlives the workspace, so no revision is ever given twice.
 */
export interface WorkspaceState {
  /** The revision of the structure. 0: there never was one. */
  readonly revision: number;
  readonly exists: boolean;
  /** The first revision of the workspace: earlier ones belong to a former workspace with the same id. */
  readonly createdAtRevision: number;
  /** The last revision at which no unreachable page was stored. */
  readonly settledAtRevision: number;
  /** The largest running number that was assigned. */
  readonly lastNum: number;
  /** The number of stored tasks; null until they are counted for the first time. */
  readonly taskCount: number | null;
  /** See `StatusCounts` of the port. */
  readonly pageMoves: number;
  /** The state of its change log. */
  readonly log: StoredLog;
}

export interface StoredLog extends LogHead {
  /** Changes up to this offset are removed; absent: up to the floor. */
  readonly trimmed?: number;
}

/** The fields that change with any write, independently of the revision. */
export type WorkspaceCounters = Pick<WorkspaceState, 'lastNum' | 'taskCount' | 'pageMoves' | 'log'>;
/** The fields that change only with the revision. */
export type StructureState = Omit<WorkspaceState, keyof WorkspaceCounters>;

/** The state of a workspace that never existed. */
export const EMPTY_STATE: WorkspaceState = {
  revision: 0,
  exists: false,
  createdAtRevision: 0,
  settledAtRevision: 0,
  lastNum: 0,
  taskCount: null,
  pageMoves: 0,
  log: EMPTY_LOG,
};

const FIELDS = Object.entries(EMPTY_STATE);

/** @param doc the lock document; null: the workspace has none */
export function toWorkspaceState(doc: Doc | null): WorkspaceState {
  const fields = FIELDS.map(([field, empty]: [string, unknown]) => [field, (doc?.[field] as unknown) ?? empty]);
  return Object.fromEntries(fields) as WorkspaceState;
}

/** A column, and the board it is on: where a task is counted. */
export type ColumnAddress = Pick<Task, 'workspaceId' | 'boardId' | 'statusId'>;

/** Counts by board, then by status. A status without tasks may be absent. */
export type CountsByBoard = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** One snapshot of the database, as the repositories read it. */
export interface DocumentReader {
  query(query: Query): Promise<readonly Doc[]>;
  /**
   * The result of a query for one document. In a write transaction it comes from memory if the document is known
   * already.
   */
  one(query: Query): Promise<Doc | null>;
  workspaceState(workspaceId: string): Promise<StructureState>;
  counters(workspaceId: string): Promise<WorkspaceCounters>;
  /**
   * The number of tasks in each status, by board, as far as they are counted.
   *
   * @param boardIds null: all of the workspace
   */
  statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<CountsByBoard>;
  /**
   * Takes a lock in a write transaction, which then conflicts with every other transaction that takes it, unless both
   * only read a user.
   */
  lock(lock: Lock): Promise<void>;
  /** Values derived from documents read or written; rolled back with the writer that set them. */
  readonly transactionCache: DerivedValues;
}

export type Lock =
  | { readonly usersRead: readonly string[] }
  | { readonly userChanged: string }
  /** An exclusive lock by name. */
  | { readonly name: string };

/** A write transaction, as the repositories use it. Writes are buffered until a query could miss them. */
export interface DocumentWriter extends DocumentReader {
  workspaceState(workspaceId: string): Promise<WorkspaceState>;
  insert(from: DocumentCollection, doc: Doc): Promise<void>;
  /** Inserts the document or replaces the one with its id. */
  replace(from: DocumentCollection, doc: Doc): Promise<void>;
  remove(from: DocumentCollection, id: string, workspaceId?: string): Promise<void>;
  /** A write to documents that are never read by `one`. */
  update(from: DocumentCollection, write: BulkWrite, workspaceId?: string): Promise<void>;
  /** Changes fields of a workspace state that was read before. */
  changeWorkspaceState(workspaceId: string, fields: Partial<WorkspaceState>): Promise<void>;
  /** Adds to the count of tasks in a column, with the commit. */
  changeCount(column: ColumnAddress, by: number): Promise<void>;
}

export interface DerivedValues {
  get(key: string): unknown;
  /** @param value undefined removes it */
  set(key: string, value: unknown): void;
}

/** The number of documents that a query finds, counted by the server. */
export async function countOf(documents: DocumentReader, query: Query): Promise<number> {
  const stagesAfter = [{ $group: { _id: null, count: { $sum: 1 } } }];
  const [found] = await documents.query({ ...query, stagesAfter });
  return (found?.['count'] as number | undefined) ?? 0;
}

/** The documents with these ids, as far as they exist. */
export async function byIds(
  documents: DocumentReader,
  from: DocumentCollection,
  ids: readonly string[],
  workspaceId?: string,
): Promise<readonly Doc[]> {
  const found: Doc[] = [];
  for (const some of inParts(ids)) {
    found.push(...(await documents.query({ from, workspaceId, filter: { _id: { $in: some } } })));
  }
  return found;
}
