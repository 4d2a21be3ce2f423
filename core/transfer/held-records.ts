import { checkAuthor, checkBoard, checkTaskReferences } from '../doctor/rules.ts';
import type { Finding } from '../doctor/finding.ts';
import { invalid } from '../kernel/errors.ts';
import type { Board } from '../model/content/board.ts';
import type { Task } from '../model/content/task.ts';
import type { TransferRecord, TransferredUser } from '../model/transfer-record.ts';
import { memberFrom, type Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { namesOn } from '../names/names.ts';
import type { Transaction } from '../ports/store.ts';
import { assignmentOf } from '../task/assignment.ts';
import { endsBeforeStart } from '../task/dates.ts';
import type { ExpectedContents } from './expected-contents.ts';

/** The records held in memory until the end of the import. The others are written as they arrive. */
export interface HeldRecords {
  workspace: Workspace | null;
  lastNum: number;
  readonly users: TransferredUser[];
  readonly members: Map<string, Member>;
  readonly pages: Map<string, Page>;
  readonly boards: Map<string, Board>;
  /** Ids of pages of tasks that have not come yet. */
  readonly taskPages: Set<string>;
  /** The last task, and how many items of its checklist and comments are still expected. */
  task: ExpectedContents | null;
}

type HeldKind = 'workspace' | 'user' | 'member';
type HeldRecord = Extract<TransferRecord, { kind: HeldKind }>;
/** A record that is written as it arrives. */
export type StagedRecord = Exclude<TransferRecord, { kind: HeldKind }>;

export function noHeldRecords(): HeldRecords {
  return {
    workspace: null,
    lastNum: 0,
    users: [],
    members: new Map(),
    pages: new Map(),
    boards: new Map(),
    taskPages: new Set(),
    task: null,
  };
}

export function isHeld(transferred: TransferRecord): transferred is HeldRecord {
  return transferred.kind === 'workspace' || transferred.kind === 'user' || transferred.kind === 'member';
}

/** @throws `invalid-input` for a second workspace, and for a member that does not fit */
export function hold(held: HeldRecords, transferred: HeldRecord): void {
  if (transferred.kind === 'workspace') {
    if (held.workspace !== null) throw invalid('', 'holds a second workspace');
    held.workspace = transferred.record;
    held.lastNum = transferred.lastNum;
  } else if (transferred.kind === 'user') held.users.push(transferred.record);
  else {
    const member = memberFrom(transferred.record);
    requireWithin(held.workspace?.id, transferred.kind, member.workspaceId);
    if (held.members.has(member.id)) throw invalid('', `holds a member twice: ${member.id}`);
    held.members.set(member.id, member);
  }
}

/**
 * Writes a record that fits those before it.
 *
 * @param plain the transaction without a journal
 * @throws `invalid-input` for one that does not
 */
export async function stageRecord(
  journaled: Transaction,
  plain: Transaction,
  held: HeldRecords,
  workspaceId: string,
  { kind, record }: StagedRecord,
): Promise<void> {
  requireWithin(workspaceId, kind, record.workspaceId);
  if (kind === 'page') {
    held.pages.set(record.id, record);
    if (record.boardId !== null) held.taskPages.add(record.id);
    await journaled.structures.stage(workspaceId, { pages: [record] });
  } else if (kind === 'invitation') await journaled.invitations.insert(record);
  else if (kind === 'board') {
    const page = held.pages.get(record.id);
    if (page?.type !== 'board') throw invalid('', `holds a board without its page: ${record.id}`);
    checkBoard(page, record, refuse);
    held.boards.set(record.id, record);
    await plain.boards.insert(record);
  } else if (kind === 'task') {
    requireOnBoard(record, held.boards.get(record.boardId));
    if (record.num > held.lastNum)
      throw invalid('', `holds a task with a number that was never assigned: ${record.id}`);
    checkTaskReferences(knownTo(held), record, refuse);
    held.taskPages.delete(record.id);
    if (endsBeforeStart(record.dateStart, record.dateEnd)) {
      throw invalid('', `holds a task that ends before it starts: ${record.id}`);
    }
    await plain.tasks.insert({ ...record, assignees: assignmentsOf(held, record.id, record.assignees) });
  } else if (kind === 'checklistItem') {
    const [assigneeId = null] = assignmentsOf(held, record.id, record.assigneeId === null ? [] : [record.assigneeId]);
    await plain.checklistItems.insert({ ...record, assigneeId });
  } else {
    checkAuthor(knownTo(held), record, refuse);
    await plain.comments.insert(record);
  }
}

function knownTo({ members, pages }: HeldRecords): Pick<Structure, 'member' | 'page'> {
  return { member: (id) => members.get(id), page: (id) => pages.get(id) };
}

/** An import keeps the rules that the doctor checks. */
function refuse(_: Finding['rule'], id: string, detail: string): never {
  throw invalid('', `is inconsistent: ${id} ${detail}`);
}

/** No record may come into a workspace that is there already. */
function requireWithin(workspaceId: string | undefined, kind: TransferRecord['kind'], of: string): void {
  if (of !== workspaceId) throw invalid('', `holds a ${kind} of another workspace`);
}

/** Exports hold member ids, not assignments. Those of former members have ended. */
function assignmentsOf({ members }: HeldRecords, of: string, assignees: readonly string[]): string[] {
  return assignees.flatMap((id) => {
    const member = members.get(id);
    if (member === undefined) throw invalid('', `is inconsistent: ${of} is assigned to ${id}, who is not a member`);
    return member.active ? assignmentOf(member) : [];
  });
}

function requireOnBoard(task: Task, board: Board | undefined): void {
  const names = board === undefined ? null : namesOn(board);
  const fits = names?.statuses.has(task.statusId) === true && task.tags.every((id) => names.tags.has(id));
  if (!fits) throw invalid('', `holds a task whose board, status or tags are missing: ${task.id}`);
}
