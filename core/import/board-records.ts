import { principalOf } from '../access/resolve.ts';
import { MEMBER } from '../model/access/role.ts';
import { governingPageId, viewerIn, type Viewer } from '../access/viewer.ts';
import { newBoard, type Board, type Status, type Tag } from '../model/content/board.ts';
import { withRoom } from '../board/statuses.ts';
import { tagKey, tagsByKey } from '../board/tags.ts';
import { jobsOf } from '../jobs/jobs-of.ts';
import type { Context } from '../ports/context.ts';
import { EspalierError, externalIdTaken, found, unusable } from '../kernel/errors.ts';
import type { Job } from '../model/job.ts';
import { releaseExternalId } from '../purge/release-external-id.ts';
import type { Page } from '../model/workspace/page.ts';
import { newPage } from '../page/create.ts';
import { spread } from '../kernel/order-key.ts';
import { changed, created, timestamp } from '../kernel/record.ts';
import { checklistCounts } from '../checklist/of-task.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Transaction } from '../ports/store.ts';
import { requireDates } from '../task/dates.ts';
import { assignmentNow } from '../task/assignment.ts';
import { insertTask } from '../task/insert.ts';
import { requireAssignable } from '../task/references.ts';
import { isInTrash } from '../trash/paths.ts';
import { trashTask } from '../trash/put.ts';
import { trashMilliseconds } from '../trash/retention.ts';
import type { Task } from '../model/content/task.ts';
import type { ImportBoard, ImportCount, ImportedComment, ImportedItem, ImportedTask } from './imported-board.ts';

type ImportTally = { -readonly [K in keyof ImportCount]: number };
export type ImportCounts = { readonly created: ImportTally; readonly existing: ImportTally };

export function newCounts(): ImportCounts {
  const none = () => ({ boards: 0, statuses: 0, tags: 0, tasks: 0, trashed: 0, checklistItems: 0, comments: 0 });
  return { created: none(), existing: none() };
}

export function add(counts: ImportCounts, more: ImportCounts): void {
  for (const of of ['created', 'existing'] as const) {
    for (const [name, count] of Object.entries(more[of])) counts[of][name as keyof ImportTally] += count;
  }
}

/** A transaction of an import. */
export interface Importing {
  readonly tx: Transaction;
  readonly context: Context;
  /** The owner of the board. */
  readonly viewer: Viewer;
  readonly counts: ImportCounts;
}

/** Ids of statuses by name. */
export function statusIdsOf(board: Board): ReadonlyMap<string, string> {
  return new Map(board.statuses.map((status) => [status.name, status.id]));
}

export async function importOwner(tx: Transaction, input: ImportBoard): Promise<Viewer> {
  const structure = found(await tx.structures.get(input.workspaceId));
  const member = structure.member(input.memberId);
  const user = member === undefined ? null : await tx.users.get(member.userId);
  const principal = user === null ? null : principalOf(member, user);
  // The owner of a board has full access to its page, which a guest cannot have.
  if (user === null || principal === null || principal.role < MEMBER) throw unusable('memberId');
  return viewerIn(structure, { user, token: null });
}

/**
 * The board with the external id of the import, existing or new, with all its statuses and tags.
 *
 * @param place inserts the page of a new board
 */
export async function boardFor(
  importing: Importing,
  input: ImportBoard,
  place: (page: Page) => Promise<void>,
): Promise<Board> {
  const { tx, context, viewer, counts } = importing;
  const at = timestamp(context);
  const known = await tx.boards.by({ workspaceId: input.workspaceId, externalId: input.externalId });
  if (known !== null && viewer.structure.page(known.id) !== undefined) {
    counts.existing.boards++;
    const board = completed(importing, known, input, at);
    if (board !== known) await tx.boards.replace(board);
    return board;
  }
  if (known !== null) await requireNotBeingImported(tx, context, known);
  if (known !== null && (await isInTrash(tx, viewer.structure, known.id))) throw externalIdTaken('board', 'trash');
  // The known board is deleted and waits to be purged: its external id is released.
  if (known !== null) await tx.boards.replace({ ...known, externalId: null });
  counts.created.boards++;
  const page = newPage(context, viewer, { name: input.name.trim(), type: 'board', parentId: null, at });
  const board = completed(importing, newBoard(page, at, input), input, at);
  await tx.boards.insert({ ...board, version: 1 });
  await place({ ...page, contentId: page.id });
  return board;
}

/** @throws `store-busy` if another import of the board is running. One whose lease has ended has died. */
async function requireNotBeingImported(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { id, workspaceId }: Board,
): Promise<void> {
  const jobs = await jobsOf(tx, workspaceId);
  const isLeased = ({ notBefore }: Job) => notBefore !== null && Date.parse(notBefore) > clock.now();
  const isBeingImported = jobs.some((job) => job.kind === 'purge' && isLeased(job) && job.boards.includes(id));
  if (isBeingImported) throw new EspalierError('store-busy', 'The board is being imported: try again in a minute.');
}

/** The board with the missing statuses and tags added. */
function completed({ context, counts }: Importing, board: Board, input: ImportBoard, at: string): Board {
  let statuses = board.statuses;
  for (const { name, done } of input.statuses) {
    if (statuses.some((status) => status.name === name.trim())) {
      counts.existing.statuses++;
      continue;
    }
    counts.created.statuses++;
    const room = withRoom(statuses, at);
    const id = context.ids.next();
    const status: Status = { id, name: name.trim(), orderKey: room.last, done: done ?? false, ...created(at) };
    statuses = [...room.statuses, status];
  }
  const tags: Tag[] = [...board.tags];
  const taken = new Set(tags.map(tagKey));
  for (const { name, color } of input.tags) {
    const key = tagKey({ name: name.trim() });
    if (taken.has(key)) {
      counts.existing.tags++;
      continue;
    }
    taken.add(key);
    counts.created.tags++;
    tags.push({ id: context.ids.next(), name: name.trim(), color: color.toLowerCase(), ...created(at) });
  }
  const grew = statuses.length > board.statuses.length || tags.length > board.tags.length;
  return grew ? changed(board, { statuses, tags }, at) : board;
}

/** What adding comments needs to know of a task that an import has found or created. */
export interface TaskOfImport {
  readonly task: Task;
  readonly isNew: boolean;
}

/** The task with the external id of a draft, found or made. Null: it is in the trash already, or is left out. */
export async function taskFor(
  importing: Importing,
  board: Board,
  columns: ReadonlyMap<string, string>,
  draft: ImportedTask,
): Promise<TaskOfImport | null> {
  const { tx, context, viewer, counts } = importing;
  const { workspaceId } = board;
  const { externalId } = draft;
  const known = await tx.tasks.byExternalId(workspaceId, externalId);
  if (known !== null && governingPageId(viewer.structure, known) !== null) {
    countExisting(counts, draft, known);
    return { task: known, isNew: false };
  }
  const item = known === null ? await tx.trash.by({ workspaceId, externalId }) : null;
  if (item?.task != null) {
    countExisting(counts, draft, item.task);
    counts.existing.trashed++;
    counts.existing.comments += Math.min(draft.comments?.length ?? 0, item.task.commentCount);
    return null;
  }
  const { status, tags, checklist = [], comments: _, archived = false, ...rest } = draft;
  if (archived && (await trashMilliseconds(tx, context)) === 0) return null;
  counts.created.tasks++;
  const statusId = columns.get(status.trim());
  if (statusId === undefined) throw unusable('status');
  const named = (tags ?? []).map((name) => {
    const tag = tagsByKey(board).get(tagKey({ name: name.trim() }));
    if (tag === undefined) throw unusable('tags');
    return tag.id;
  });
  requireDates(rest);
  requireAuthor(viewer, rest.createdById, 'createdById');
  const task = await insertTask(tx, context, viewer, { ...rest, boardId: board.id, statusId, tags: named });
  counts.created.checklistItems += checklist.length;
  const made = checklist.length === 0 ? task : await withChecklist(importing, task, checklist);
  return { task: made, isNew: true };
}

function countExisting({ existing }: ImportCounts, { checklist = [] }: ImportedTask, known: Task): void {
  existing.tasks++;
  existing.checklistItems += Math.min(checklist.length, known.checklistTotal);
}

/** Puts a task that was archived in the other system into the trash, with its checklist and comments. */
export async function trashArchived({ tx, context, viewer, counts }: Importing, task: Task): Promise<void> {
  counts.created.trashed++;
  await trashTask(tx, context, viewer, task, await trashMilliseconds(tx, context));
}

async function withChecklist(
  { tx, context, viewer }: Importing,
  task: Task,
  drafts: readonly ImportedItem[],
): Promise<Task> {
  const keys = spread(drafts.length);
  const items: ChecklistItem[] = [];
  for (const [i, { text, done = false, assigneeId }] of drafts.entries()) {
    if (assigneeId !== undefined) await requireAssignable(tx, viewer, task, [assigneeId], 'assigneeId');
    items.push({
      id: context.ids.next(),
      workspaceId: task.workspaceId,
      taskId: task.id,
      orderKey: keys[i]!,
      text: text.trim(),
      done,
      assigneeId: assigneeId === undefined ? null : assignmentNow(viewer.structure, assigneeId),
    });
  }
  for (const item of items) await tx.checklistItems.insert(item);
  const counted = { ...task, ...checklistCounts(items) };
  await tx.tasks.replace(counted);
  return counted;
}

/** @returns the task, which counts its comments */
export async function importComments(
  { tx, context, viewer, counts }: Importing,
  task: Task,
  comments: readonly ImportedComment[],
): Promise<Task> {
  let added = 0;
  for (const { externalId, content, authorId, createdAt, editedAt } of comments) {
    const named = { id: null, workspaceId: task.workspaceId, externalId };
    if (!(await releaseExternalId(tx, viewer.structure, 'comment', named))) {
      counts.existing.comments++;
      continue;
    }
    counts.created.comments++;
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
  if (added === 0) return task;
  const counted = { ...task, commentCount: task.commentCount + added };
  await tx.tasks.replace(counted);
  return counted;
}

/** The author must be a member, or have been one. */
function requireAuthor(viewer: Viewer, memberId: string | undefined, field: string): void {
  if (memberId !== undefined && viewer.structure.member(memberId) === undefined) throw unusable(field);
}
