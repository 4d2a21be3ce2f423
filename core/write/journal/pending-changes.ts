import { fieldChanges, type ItemChange } from '../../history/field-changes.ts';
import type { Board } from '../../model/content/board.ts';
import type { ChangeKind, NewChange, NewEntry } from '../../model/log/change.ts';
import type { ChecklistItem } from '../../model/content/checklist-item.ts';
import type { Comment } from '../../model/content/comment.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { Task } from '../../model/content/task.ts';
import type { Transaction } from '../../ports/store.ts';
import { NEVER_YIELD, type Yielder } from '../../ports/yielder.ts';
import { type Guard, type GuardedChange, type GuardOrigin, requireUnguarded } from '../guards.ts';
import { changedFields, compact, type JournaledRecord } from './changed-fields.ts';
import { locationOf, type RecordChange } from './change-location.ts';
import { storeRemovedNames } from './removed-names.ts';
import { RemovedPages } from './removed-pages.ts';
import type { Logged } from './trim-log.ts';

/** What a transaction has done to one record so far. */
interface Pending extends RecordChange {
  after: JournaledRecord | null;
}

/** By whom, for which request, and when. */
type Origin = Pick<NewChange, 'userId' | 'requestId' | 'at'>;

const NO_ITEMS: readonly ItemChange[] = [];

/**
 * What one transaction does to the records of one workspace: one change for each record, however often it is written.
 * What the transaction undoes itself leaves no change, nor does what nobody can reach, such as the content of an import
 * before its page is put in place.
 */
export class PendingChanges {
  readonly #workspaceId: string;
  readonly #pending = new Map<string, Pending>();
  /** By task: the items of its checklist that were written. */
  readonly #items = new Map<string, Map<string, ItemChange>>();
  /** Tasks that only made room for others, or were respread. */
  readonly #displaced = new Set<string>();
  /** The structure as the transaction sees it now. Undefined: it was not read. */
  #structure: Structure | null | undefined;
  /** The revision of the structure that the transaction found. */
  #revisionFound: number | undefined;
  readonly #revealed = new Map<string, Page>();
  /** By id: whether the record was put in the trash, or else taken out. */
  readonly #trashed = new Map<string, boolean>();
  readonly addedPages = new Set<string>();
  readonly removedPages = new RemovedPages();

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  /** @param before null: the record is created. @param after null: the record is removed */
  add(kind: ChangeKind, before: JournaledRecord | null, after: JournaledRecord | null): void {
    const key = `${kind} ${(before ?? after)!.id}`;
    const known = this.#pending.get(key);
    if (known === undefined) this.#pending.set(key, { kind, before, after });
    else known.after = after;
  }

  /** Leaves out what was added of a record. */
  drop(kind: ChangeKind, id: string): void {
    this.#pending.delete(`${kind} ${id}`);
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

  /** These tasks only make room for others: that is no part of their history. */
  addDisplaced(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#displaced.add(id);
  }

  /** The record as this transaction has written it last; undefined: it has not written it. */
  written(kind: ChangeKind, id: string): JournaledRecord | null | undefined {
    return this.#pending.get(`${kind} ${id}`)?.after;
  }

  /** Adds a page that is copied or restored: guards see it as new. */
  reveal(page: Page): void {
    this.#revealed.set(page.id, page);
  }

  /** Called with the structure as it is read, and after each change. */
  set structure(structure: Structure | null) {
    this.#structure = structure;
    this.#revisionFound ??= structure?.revision;
  }

  get structure(): Structure | null | undefined {
    return this.#structure;
  }

  async #loadStructure(tx: Transaction): Promise<Structure | null> {
    if (this.#structure === undefined) this.structure = await tx.structures.get(this.#workspaceId);
    return this.#structure ?? null;
  }

  /** Asks the guards about each record that differs from what it was. @throws `guard-refused` */
  async guard(tx: Transaction, guards: readonly Guard[], by: GuardOrigin): Promise<void> {
    if (this.#pending.size + this.#revealed.size === 0) return;
    requireUnguarded(guards, this.#differences(by.inSteps === true), await this.#loadStructure(tx), by);
  }

  *#differences(inSteps: boolean): Iterable<GuardedChange> {
    for (const page of this.#revealed.values()) yield { kind: 'page', before: null, after: page };
    for (const { kind, before, after } of this.#pending.values()) {
      if (before === null && after === null) continue;
      if (kind === 'page' && this.#revealed.has((after ?? before)!.id)) continue;
      // Columns are respread for any task that needs a place.
      if (inSteps && kind === 'task' && this.#displaced.has((after ?? before)!.id)) continue;
      const isUpdate = before !== null && after !== null;
      if (isUpdate && before.version === after.version && changedFields(kind, before, after).length === 0) continue;
      yield { kind, before, after };
    }
  }

  /**
   * Adds them to the change log, in the order in which the records were first written, and to the history of the
   * records. O(changes), in steps.
   *
   * @returns null: there are none
   */
  async append(tx: Transaction, by: Origin, yielder: Yielder = NEVER_YIELD): Promise<Logged | null> {
    for (const id of this.addedPages) if (!this.#pending.has(`task ${id}`)) await this.#addTaskOf(tx, id);
    if (this.#pending.size === 0) return null;
    if (this.#structure === undefined) await this.#loadStructure(tx);
    const changes: NewChange[] = [];
    const changed: Pending[] = [];
    for (const pending of this.#pending.values()) {
      const { kind, before, after } = pending;
      const onTask = kind === 'comment' ? await this.#taskOf(tx, (after ?? before) as Comment | null) : null;
      const change = this.#changeOf(pending, onTask, by);
      const pause = yielder.step();
      if (pause !== null) await pause;
      if (change === null) continue;
      changes.push(change);
      changed.push(pending);
    }
    const added = changes.length;
    if (added === 0) return null;
    const head = await tx.changeLog.append(this.#workspaceId, changes);
    for (const { kind, before, after } of changed) {
      if (kind === 'board' && before !== null && after !== null)
        await storeRemovedNames(tx, before as Board, after as Board);
    }
    return { head, added };
  }

  /** Null for a change without an entry: a record shows its creation itself, and one that is removed for good has no history. */
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
    const recorded = this.#displaced.has(id) ? fields.filter((field) => field !== 'statusOrderKey') : fields;
    if (recorded.length === 0) return null;
    const items = this.#items.get(id)?.values() ?? NO_ITEMS;
    const changes = fieldChanges(kind, before!, after!, recorded, items);
    return changes === null ? null : { verb: 'update', changes };
  }

  /** A page that is added for an existing task governs the task from then on. */
  async #addTaskOf(tx: Transaction, id: string): Promise<void> {
    const task = await tx.tasks.get(this.#workspaceId, id);
    if (task !== null) this.add('task', task, task);
  }

  async #taskOf(tx: Transaction, comment: Comment | null): Promise<Task | null> {
    if (comment === null) return null;
    const written = this.#pending.get(`task ${comment.taskId}`);
    if (written === undefined) return tx.tasks.get(this.#workspaceId, comment.taskId);
    return (written.after ?? written.before) as Task | null;
  }

  /** @param onTask the task of a comment */
  #changeOf(pending: Pending, onTask: Task | null, by: Origin): NewChange | null {
    const { kind, before, after } = pending;
    const record = after ?? before;
    if (record === null) return null;
    const fields = before === null || after === null ? [] : changedFields(kind, before, after);
    const isUpdate = before !== null && after !== null;
    // Changes of an invitation have no events.
    if (isUpdate && kind === 'invitation') return null;
    if (isUpdate && kind === 'task') {
      if (this.addedPages.has(record.id)) fields.push('pageId');
      if (this.#items.has(record.id)) fields.push('checklist');
    }
    if (isUpdate && before.version === after.version && fields.every((field) => isOfPlace(kind, field))) return null;
    const where = locationOf(this, pending, onTask);
    if (where === null) return null;
    // The page that shows the board implies it.
    if (before === null && kind !== 'page' && where.boardId !== null && this.#revealed.has(where.boardId)) return null;
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
      fromRevision: this.#revisionFound === revision ? null : (this.#revisionFound ?? null),
      entry: this.#entryOf(pending, action, where.taskId, fields),
    };
  }
}

/** A page that makes room for another keeps its version, and nobody is shown its key. */
function isOfPlace(kind: ChangeKind, field: string): boolean {
  return kind === 'page' && field === 'orderIndex';
}

/** That a record went to the trash, or came back. Null for what is removed from the trash for good. */
function trashEntry(kind: ChangeKind, action: NewChange['action'], isPut: boolean): NewEntry | null {
  if (isPut !== (action === 'delete') || (kind !== 'task' && kind !== 'page')) return null;
  return { verb: isPut ? 'delete' : 'restore', changes: '[]' };
}
