import { principalOf } from '../access/resolve.ts';
import { MEMBER } from '../model/role.ts';
import { governingPageId, viewerAfter, viewerIn, type Viewer } from '../access/viewer.ts';
import { newBoard, type Board, type Status, type Tag } from '../model/board.ts';
import { withRoom } from '../board/statuses.ts';
import { sameName } from '../board/tags.ts';
import type { Context } from '../ports/context.ts';
import { found, unusable } from '../kernel/errors.ts';
import { releaseExternalId } from '../purge/release-external-id.ts';
import { insertPage, newPage } from '../page/create.ts';
import { changed, created, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { requireDates } from '../task/dates.ts';
import { insertTask } from '../task/insert.ts';
import type { Task, WrittenTask } from '../model/task.ts';
import { write } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';

/** A comment of another system, with its author and time. */
export interface ImportedComment {
  /** Its id in the other system. */
  readonly externalId: string;
  /** 1-20,000 characters. */
  readonly content: string;
  /** Absent: the member who imports. */
  readonly authorId?: string;
  /** When it was written. ISO 8601. */
  readonly createdAt: string;
  /** When it was edited, if it was. */
  readonly editedAt?: string;
}

export interface ImportedTask extends Partial<WrittenTask> {
  /** Its id in the other system: a second import finds the task by it. */
  readonly externalId: string;
  /** 1-500 characters, trimmed. */
  readonly title: string;
  /** Name of a status in `statuses`. */
  readonly status: string;
  /** Names of tags in `tags`. */
  readonly tags?: readonly string[];
  /** Ids of members. Default none. */
  readonly assignees?: readonly string[];
  /** Default: that of the status. */
  readonly complete?: boolean;
  /** Absent: the member who imports. */
  readonly createdById?: string;
  /** Default: now. ISO 8601. */
  readonly createdAt?: string;
  /** By creation. */
  readonly comments?: readonly ImportedComment[];
}

export interface ImportedStatus {
  /** 1-100 characters, unique. */
  readonly name: string;
  /** A task in it is complete. Default false. */
  readonly done?: boolean;
}

export interface ImportedTag {
  /** 1-100 characters, unique ignoring case. */
  readonly name: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color: string;
}

/** A board of another system. Existing records are matched by external id, statuses and tags by name. */
export interface ImportBoard {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** The member who owns the board: an active one. */
  readonly memberId: string;
  /** Its id in the other system: a second import finds the board by it. */
  readonly externalId: string;
  /** 1-500 characters, trimmed. */
  readonly name: string;
  /** Up to 10,000 characters. */
  readonly description?: string;
  /** In order, names unique. */
  readonly statuses: readonly ImportedStatus[];
  /** Names unique ignoring case. */
  readonly tags: readonly ImportedTag[];
  /** In the order that they take in their statuses. */
  readonly tasks: readonly ImportedTask[];
}

export interface ImportCount {
  /** Boards: 0 or 1. */
  readonly boards: number;
  /** Statuses. */
  readonly statuses: number;
  /** Tags. */
  readonly tags: number;
  /** Tasks. */
  readonly tasks: number;
  /** Comments. */
  readonly comments: number;
}

export interface ImportReport {
  /** The board, new or found. */
  readonly boardId: string;
  /** What came in. */
  readonly created: ImportCount;
  /** Records that were matched and left unchanged. */
  readonly existing: ImportCount;
}

/**
 * Imports a board with its authors and times, all or nothing. A second import of the same
 * board adds only what is missing. For the operator and service administrators.
 */
export function importBoard(context: Context, input: ImportBoard): Promise<ImportReport> {
  return write(context, async (tx) => {
    await requireAdministrator(tx, context);
    const owner = await ownerOf(tx, input);
    const tally = newTally();
    const { viewer, board } = await boardFor(tx, context, owner, input, tally);
    const columns = new Map(board.statuses.map((status) => [status.name, status.id]));
    for (const draft of input.tasks) {
      const task = await taskFor(tx, context, viewer, board, columns, draft, tally);
      await addComments(tx, context, viewer, task, draft.comments ?? [], tally);
    }
    return { boardId: board.id, created: tally.created, existing: tally.existing };
  });
}

type Counts = { -readonly [K in keyof ImportCount]: number };
type Tally = { readonly created: Counts; readonly existing: Counts };

function newTally(): Tally {
  const none = () => ({ boards: 0, statuses: 0, tags: 0, tasks: 0, comments: 0 });
  return { created: none(), existing: none() };
}

async function ownerOf(tx: Transaction, input: ImportBoard): Promise<Viewer> {
  const structure = found(await tx.structures.get(input.workspaceId));
  const member = structure.member(input.memberId);
  const user = member === undefined ? null : await tx.users.get(member.userId);
  const principal = user === null ? null : principalOf(member, user);
  // The board's page gives its owner full access, which a guest cannot have.
  if (user === null || principal === null || principal.role < MEMBER) throw unusable('memberId');
  return viewerIn(structure, { user, token: null });
}

async function boardFor(
  tx: Transaction,
  context: Context,
  owner: Viewer,
  input: ImportBoard,
  tally: Tally,
): Promise<{ readonly viewer: Viewer; readonly board: Board }> {
  const at = timestamp(context);
  const known = await tx.boards.by({ workspaceId: input.workspaceId, externalId: input.externalId });
  if (known !== null && owner.structure.page(known.id) !== undefined) {
    tally.existing.boards++;
    const board = completed(context, known, input, at, tally);
    if (board !== known) await tx.boards.replace(board);
    return { viewer: owner, board };
  }
  // Deleted and not yet purged: its external id is free.
  if (known !== null) await tx.boards.replace({ ...known, externalId: null });
  tally.created.boards++;
  const page = newPage(context, owner, { name: input.name.trim(), type: 'board', parentId: null, at });
  const board = completed(context, newBoard(page, at, input), input, at, tally);
  await tx.boards.insert({ ...board, version: 1 });
  await insertPage(tx, owner, { ...page, contentId: page.id }, at);
  return { viewer: viewerAfter(owner, found(await tx.structures.get(input.workspaceId))), board };
}

/** The board with the missing statuses and tags added. */
function completed(context: Context, board: Board, input: ImportBoard, at: string, tally: Tally): Board {
  let statuses = board.statuses;
  for (const { name, done } of input.statuses) {
    if (statuses.some((status) => status.name === name.trim())) {
      tally.existing.statuses++;
      continue;
    }
    tally.created.statuses++;
    const room = withRoom(statuses, at);
    const id = context.ids.next();
    const status: Status = { id, name: name.trim(), orderKey: room.last, done: done ?? false, ...created(at) };
    statuses = [...room.statuses, status];
  }
  const tags: Tag[] = [...board.tags];
  for (const { name, color } of input.tags) {
    if (tags.some((tag) => sameName(tag, { name: name.trim() }))) {
      tally.existing.tags++;
      continue;
    }
    tally.created.tags++;
    tags.push({ id: context.ids.next(), name: name.trim(), color: color.toLowerCase(), ...created(at) });
  }
  const grew = statuses.length > board.statuses.length || tags.length > board.tags.length;
  return grew ? changed(board, { statuses, tags }, at) : board;
}

async function taskFor(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  board: Board,
  columns: ReadonlyMap<string, string>,
  draft: ImportedTask,
  tally: Tally,
): Promise<Task> {
  const known = await tx.tasks.byExternalId(board.workspaceId, draft.externalId);
  if (known !== null && governingPageId(viewer.structure, known) !== null) {
    tally.existing.tasks++;
    return known;
  }
  tally.created.tasks++;
  const { status, tags, comments: _, ...rest } = draft;
  const statusId = columns.get(status.trim());
  if (statusId === undefined) throw unusable('status');
  const named = (tags ?? []).map((name) => {
    const tag = board.tags.find((one) => sameName(one, { name: name.trim() }));
    if (tag === undefined) throw unusable('tags');
    return tag.id;
  });
  requireDates(rest);
  requireAuthor(viewer, rest.createdById, 'createdById');
  return insertTask(tx, context, viewer, { ...rest, boardId: board.id, statusId, tags: named });
}

async function addComments(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  task: Task,
  comments: readonly ImportedComment[],
  tally: Tally,
): Promise<void> {
  let added = 0;
  for (const { externalId, content, authorId, createdAt, editedAt } of comments) {
    if (!(await releaseExternalId(tx, viewer.structure, 'comment', task.workspaceId, externalId, null))) {
      tally.existing.comments++;
      continue;
    }
    tally.created.comments++;
    added++;
    requireAuthor(viewer, authorId, 'authorId');
    const at = new Date(createdAt).toISOString();
    await tx.comments.insert({
      id: context.ids.next(),
      workspaceId: task.workspaceId,
      taskId: task.id,
      authorId: authorId ?? viewer.member.id,
      content,
      edited: editedAt !== undefined,
      externalId,
      ...created(at),
      updatedAt: editedAt === undefined ? at : new Date(editedAt).toISOString(),
    });
  }
  if (added > 0) await tx.tasks.replace({ ...task, commentCount: task.commentCount + added });
}

/** The author must be a member, or have been one. */
function requireAuthor(viewer: Viewer, memberId: string | undefined, field: string): void {
  if (memberId !== undefined && viewer.structure.member(memberId) === undefined) throw unusable(field);
}
