import { fieldChanges, type ItemChange } from '../../history/field-changes.ts';
import { sameJson } from '../../kernel/partial-update.ts';
import type { Board } from '../../model/content/board.ts';
import type { ChangeKind, NewChange, NewEntry } from '../../model/log/change.ts';
import type { ChecklistItem } from '../../model/content/checklist-item.ts';
import type { Comment } from '../../model/content/comment.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { Task } from '../../model/content/task.ts';
import type { LogHead } from '../../ports/change-log.ts';
import { linkedAs } from '../../model/content/task-links.ts';
import type { Transaction } from '../../ports/store.ts';
import { type Guard, type GuardedChange, type GuardOrigin, requireUnguarded } from '../guards.ts';

/** A record as it is kept here. */
export interface NotedRecord {
  readonly id: string;
  readonly version: number;
}

/** What a transaction has done to one record so far. Null: the record did not exist, or no longer exists. */
interface Pending {
  readonly kind: ChangeKind;
  readonly before: NotedRecord | null;
  after: NotedRecord | null;
}

/** By whom, for which request, and when. */
type Origin = Pick<NewChange, 'userId' | 'requestId' | 'at'>;

type Where = Pick<NewChange, 'pageId' | 'fromPageId' | 'boardId' | 'fromBoardId' | 'taskId'>;

const NOWHERE: Where = { pageId: null, fromPageId: null, boardId: null, fromBoardId: null, taskId: null };

/** What changes with every update, is derived from other records, or is not read. */
const NOT_NAMED = new Set([
  'version',
  'updatedAt',
  'boardEdits',
  'commentCount',
  'checklistTotal',
  'checklistDone',
  'membership',
  'leftAt',
]);

const NO_ITEMS: readonly ItemChange[] = [];

/** Fields that a record may lose. */
const OPTIONAL = ['metadata', 'template'] as const;

/**
 * What one transaction does to the records of one workspace, one change for each record however often it is written:
 * what is undone again leaves none. Nor does what nobody can reach, as the content of an import before its page is put
 * in place.
 */
export class PendingChanges {
  readonly #workspaceId: string;
  readonly #pending = new Map<string, Pending>();
  /** By task: the items of its checklist that were written. */
  readonly #items = new Map<string, Map<string, ItemChange>>();
  /** Tasks that only made room for others, or were respread. */
  readonly #aside = new Set<string>();
  /** As the transaction has it now. Undefined: it was not read. */
  #structure: Structure | null | undefined;
  /** Of the structure, as the transaction found it. */
  #found: number | undefined;
  readonly #cameIntoSight = new Map<string, Page>();
  /** By id: whether it was put in the trash, or else taken out. */
  readonly #trashed = new Map<string, boolean>();
  /** Pages that this transaction has added, and removed. */
  readonly #opened = new Set<string>();
  readonly #closed = new Set<string>();

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  /** @param before null: it is made. @param after null: it is removed */
  add(kind: ChangeKind, before: NotedRecord | null, after: NotedRecord | null): void {
    const key = `${kind} ${(before ?? after)!.id}`;
    const known = this.#pending.get(key);
    if (known === undefined) this.#pending.set(key, { kind, before, after });
    else known.after = after;
  }

  /** An item of a checklist was written: that is a change of its task. */
  addItem(before: ChecklistItem | null, after: ChecklistItem | null): void {
    const { id, taskId } = (after ?? before)!;
    const items = this.#items.get(taskId) ?? new Map<string, ItemChange>();
    this.#items.set(taskId, items);
    const known = items.get(id);
    items.set(id, [known === undefined ? before : known[0], after]);
  }

  /** An item was put in the trash, or taken out of it. */
  trashed(id: string, isPut: boolean): void {
    this.#trashed.set(id, isPut);
  }

  /** These tasks move for another: that is no part of their history. */
  movedAside(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#aside.add(id);
  }

  /** The record as this transaction has written it last; undefined: it has not written it. */
  written(kind: ChangeKind, id: string): NotedRecord | null | undefined {
    return this.#pending.get(`${kind} ${id}`)?.after;
  }

  /** A page that is copied or restored: to guards it is new. */
  cameIntoSight(page: Page): void {
    this.#cameIntoSight.set(page.id, page);
  }

  /** Called with the structure as it is read, and after each change. */
  set structure(structure: Structure | null) {
    this.#structure = structure;
    this.#found ??= structure?.revision;
  }

  get structure(): Structure | null | undefined {
    return this.#structure;
  }

  async #present(tx: Transaction): Promise<Structure | null> {
    if (this.#structure === undefined) this.structure = await tx.structures.get(this.#workspaceId);
    return this.#structure ?? null;
  }

  opened(page: Page): void {
    this.#opened.add(page.id);
  }

  closed(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#closed.add(id);
  }

  /** Asks the guards about each record that differs from what it was. @throws `guard-refused` */
  async guard(tx: Transaction, guards: readonly Guard[], by: GuardOrigin): Promise<void> {
    if (this.#pending.size + this.#cameIntoSight.size === 0) return;
    requireUnguarded(guards, this.#differences(by.inSteps === true), await this.#present(tx), by);
  }

  *#differences(inSteps: boolean): Iterable<GuardedChange> {
    for (const page of this.#cameIntoSight.values()) yield { kind: 'page', before: null, after: page };
    for (const { kind, before, after } of this.#pending.values()) {
      if (before === null && after === null) continue;
      if (kind === 'page' && this.#cameIntoSight.has((after ?? before)!.id)) continue;
      // Columns are respread for any task that needs a place.
      if (inSteps && kind === 'task' && this.#aside.has((after ?? before)!.id)) continue;
      const isUpdate = before !== null && after !== null;
      if (isUpdate && before.version === after.version && changedFields(kind, before, after).length === 0) continue;
      yield { kind, before, after };
    }
  }

  /**
   * Adds them to the change log, in the order in which the records were first written, and to the history of the
   * records. O(changes).
   *
   * @returns how many, and how far the log goes with them; null: there are none
   */
  async append(tx: Transaction, by: Origin): Promise<{ readonly head: LogHead; readonly added: number } | null> {
    for (const id of this.#opened) if (!this.#pending.has(`task ${id}`)) await this.#addOpened(tx, id);
    if (this.#pending.size === 0) return null;
    if (this.#structure === undefined) await this.#present(tx);
    const changes: NewChange[] = [];
    const changed: Pending[] = [];
    for (const pending of this.#pending.values()) {
      const { kind, before, after } = pending;
      const onTask = kind === 'comment' ? await this.#taskOf(tx, (after ?? before) as Comment | null) : null;
      const change = this.#changeOf(pending, onTask, by);
      if (change === null) continue;
      changes.push(change);
      changed.push(pending);
    }
    const added = changes.length;
    if (added === 0) return null;
    const head = await tx.changeLog.append(this.#workspaceId, changes);
    for (const { kind, before, after } of changed) {
      if (kind === 'board' && before !== null && after !== null) await keepNames(tx, before as Board, after as Board);
    }
    return { head, added };
  }

  /** Null for what leaves no entry: what is made tells that itself, and what is removed for good has no history. */
  #entryOf(
    { kind, before, after }: Pending,
    action: NewChange['action'],
    taskId: string | null,
    fields: readonly string[],
  ): NewEntry | null {
    const { id } = (after ?? before)!;
    if (this.#trashed.size > 0 && this.#trashed.has(id)) return trashEntry(kind, action, this.#trashed.get(id)!);
    if (kind === 'comment') {
      const task = this.#pending.get(`task ${taskId}`);
      if (taskId === null || (task !== undefined && (task.before === null || task.after === null))) return null;
      return { verb: action, changes: '[]' };
    }
    if (action !== 'update' || (kind !== 'task' && kind !== 'board' && kind !== 'page')) return null;
    const told = this.#aside.has(id) ? fields.filter((field) => field !== 'statusOrderKey') : fields;
    if (told.length === 0) return null;
    const items = this.#items.get(id)?.values() ?? NO_ITEMS;
    const changes = fieldChanges(kind, before!, after!, told, items);
    return changes === null ? null : { verb: 'update', changes };
  }

  /** A page for a task that is there already: from then on it governs the task. */
  async #addOpened(tx: Transaction, id: string): Promise<void> {
    const task = await tx.tasks.get(this.#workspaceId, id);
    if (task !== null) this.add('task', task, task);
  }

  async #taskOf(tx: Transaction, comment: Comment | null): Promise<Task | null> {
    if (comment === null) return null;
    const written = this.#pending.get(`task ${comment.taskId}`);
    if (written === undefined) return tx.tasks.get(this.#workspaceId, comment.taskId);
    return (written.after ?? written.before) as Task | null;
  }

  /** @param onTask of a comment: the task that it is on */
  #changeOf(pending: Pending, onTask: Task | null, by: Origin): NewChange | null {
    const { kind, before, after } = pending;
    const record = after ?? before;
    if (record === null) return null;
    const fields = before === null || after === null ? [] : changedFields(kind, before, after);
    const isUpdate = before !== null && after !== null;
    // Changes of an invitation have no events.
    if (isUpdate && kind === 'invitation') return null;
    if (isUpdate && kind === 'task') {
      if (this.#opened.has(record.id)) fields.push('pageId');
      if (this.#items.has(record.id)) fields.push('checklist');
    }
    if (isUpdate && fields.length === 0 && before.version === after.version) return null;
    const where = this.#where(kind, before, after, onTask);
    if (where === null) return null;
    // The page that shows the board implies it.
    if (before === null && kind !== 'page' && where.boardId !== null && this.#cameIntoSight.has(where.boardId))
      return null;
    const revision = this.#structure?.revision ?? null;
    const action = isUpdate ? 'update' : before === null ? 'create' : 'delete';
    return {
      kind,
      action,
      recordId: record.id,
      version: record.version,
      pageId: where.pageId,
      fromPageId: where.fromPageId,
      boardId: where.boardId,
      fromBoardId: where.fromBoardId,
      taskId: where.taskId,
      fields: compact(fields),
      userId: by.userId,
      requestId: by.requestId,
      at: by.at,
      revision,
      fromRevision: this.#found === revision ? null : (this.#found ?? null),
      entry: this.#entryOf(pending, action, where.taskId, fields),
    };
  }

  /** Null for an unreachable record. */
  #where(kind: ChangeKind, before: NotedRecord | null, after: NotedRecord | null, onTask: Task | null): Where | null {
    if (kind === 'task') return this.#whereTask(before as Task | null, after as Task | null);
    if (kind === 'workspace') return NOWHERE;
    if (this.#structure === null) return null;
    const record = (after ?? before)!;
    if (kind === 'page') {
      const { id, type, boardId, parentId } = record as Page;
      const fromPageId = after === null ? parentId : null;
      return { ...NOWHERE, pageId: id, fromPageId, boardId: type === 'board' ? id : boardId };
    }
    if (kind === 'board')
      return this.#reaches(record.id) ? { ...NOWHERE, pageId: record.id, boardId: record.id } : null;
    if (kind !== 'comment') return NOWHERE;
    const where = onTask === null ? null : this.#whereTask(onTask, onTask);
    return where === null ? null : { ...where, fromPageId: null, taskId: (record as Comment).taskId };
  }

  #whereTask(before: Task | null, after: Task | null): Where | null {
    const { id, boardId } = (after ?? before)!;
    const fromBoardId = before === null || before.boardId === boardId ? null : before.boardId;
    if (!this.#reaches(boardId) && (fromBoardId === null || !this.#reaches(fromBoardId))) return null;
    const hasPage = this.#structure?.page(id) !== undefined;
    const hadPage = this.#closed.has(id) || (hasPage && !this.#opened.has(id));
    const from = before === null ? null : hadPage ? id : before.boardId;
    const to = after === null ? from : hasPage ? id : boardId;
    return { pageId: to, fromPageId: from === to ? null : from, boardId, fromBoardId, taskId: null };
  }

  /** Whether the page is there, or was until this transaction. */
  #reaches(pageId: string): boolean {
    return this.#closed.has(pageId) || (this.#structure != null && this.#structure.page(pageId) !== undefined);
  }
}

/** That a record went to the trash, or came back. Null for what is removed from the trash for good. */
function trashEntry(kind: ChangeKind, action: NewChange['action'], isPut: boolean): NewEntry | null {
  if (isPut !== (action === 'delete') || (kind !== 'task' && kind !== 'page')) return null;
  return { verb: isPut ? 'delete' : 'restore', changes: '[]' };
}

/** The names of statuses and tags that were removed from a board: entries of tasks hold their ids. */
async function keepNames(tx: Transaction, before: Board, after: Board): Promise<void> {
  if (before.statuses === after.statuses && before.tags === after.tags) return;
  const left = new Set([...after.statuses, ...after.tags].map(({ id }) => id));
  for (const { id, name } of [...before.statuses, ...before.tags]) {
    if (!left.has(id)) await tx.removedNames.insert({ id, workspaceId: before.workspaceId, boardId: before.id, name });
  }
}

/** As it is read: the order of a page among its siblings by its index, and indexes by their keys. */
function nameOf(kind: ChangeKind, field: string): string {
  if (kind === 'page' && field === 'orderKey') return 'orderIndex';
  return field === 'metadataIndexes' ? 'indexedMetadata' : field;
}

const NO_FIELDS: readonly string[] = [];

/** Lists of one name: a store in memory keeps one for each change. */
const alone = new Map<string, readonly string[]>();

/** A list that takes no more memory than it needs: one that was grown has room for sixteen more. */
function compact(fields: readonly string[]): readonly string[] {
  const [first] = fields;
  if (first === undefined) return NO_FIELDS;
  if (fields.length > 1) return fields.slice();
  let known = alone.get(first);
  if (known === undefined) alone.set(first, (known = [first]));
  return known;
}

type Fields = Readonly<Record<string, unknown>>;

function changedFields(kind: ChangeKind, before: NotedRecord, after: NotedRecord): string[] {
  const fields: string[] = [];
  const [old, now] = [before, after] as unknown as [Fields, Fields];
  for (const field in now) {
    const [was, is] = [old[field], now[field]];
    if (was !== is && !NOT_NAMED.has(field) && !sameJson(was, is)) fields.push(nameOf(kind, field));
  }
  for (const field of OPTIONAL) if (field in before && !(field in after)) fields.push(field);
  if (kind === 'task') addLinkFields(before as Task & NotedRecord, after as Task & NotedRecord, fields);
  return fields;
}

/** The parent of a task is read as a field of its own, beside its links. */
function addLinkFields(before: Task, after: Task, fields: string[]): void {
  if (before.links === after.links) return;
  if (after.links === undefined) fields.push('links');
  if (linkedAs(before, 'parent')[0] !== linkedAs(after, 'parent')[0]) fields.push('parentTaskId');
}
