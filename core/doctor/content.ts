import { checklistCounts, storedItemsOf } from '../checklist/of-task.ts';
import { eachCommentOf } from '../comment/of-task.ts';
import { endedAssignments } from '../member/membership-end.ts';
import { isCurrent } from '../task/assignment.ts';
import { LinkGraph } from '../link/graph.ts';
import type { Job } from '../model/job.ts';
import type { Board } from '../model/content/board.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Comment } from '../model/content/comment.ts';
import { KEY_LIMIT } from '../kernel/order-key.ts';
import type { Page } from '../model/workspace/page.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import { namesOn } from '../names/names.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import { storedTaskSlices } from '../task/stored-tasks.ts';
import type { Finding, Report } from './finding.ts';
import { MetadataIndexes } from './metadata-indexes.ts';
import { readTogether } from '../task/read-together.ts';
import { checkAuthor, checkBoard, checkTaskReferences } from './rules.ts';
import { TaskCounts } from './task-counts.ts';
import { trashFindings, UnreachableTasks } from './trash.ts';

export interface ContentCheck {
  readonly findings: readonly Finding[];
  readonly tasks: number;
  readonly comments: number;
}

/** Checks boards, tasks and comments, and that they match the page tree. */
export async function contentFindings(
  tx: ReadTransaction,
  structure: Structure,
  yielder: Yielder,
): Promise<ContentCheck> {
  const workspaceId = structure.workspace.id;
  const findings: Finding[] = [];
  const report: Report = (rule, id, detail) => findings.push({ workspaceId, rule, id, detail });
  const [jobs, ended, lastNum] = await Promise.all([
    tx.jobs.list('ofWorkspace', { workspaceId }, { limit: JOBS }),
    endedAssignments(tx, workspaceId),
    tx.tasks.lastNum(workspaceId),
  ]);
  const boards = await boardsOf(tx, structure, jobs, report, yielder);
  const purges = jobs.filter((job) => job.kind === 'purge');
  const purged = new Set(purges.flatMap((job) => job.boards));
  // A purge of removed pages does not list their tasks one by one.
  const purgesPages = purges.some(({ pages = [], found = [] }) => pages.length + found.length > 0);
  const seen: TakenValues = { nums: new Set(), places: new Set(), externalIds: new Set(), tasks: new Set(), ended };
  const unreachable = new UnreachableTasks(tx, structure);
  // Includes unreachable tasks, which are in the trash or wait to be purged.
  const counts = new TaskCounts();
  const indexes = new MetadataIndexes(structure.workspace);
  const links = new LinkGraph();
  // Tasks that are removed, while others still have their links.
  for (const { tasks: [id] = [], links: left } of purges)
    if (id !== undefined && left) links.add({ id, links: left }, false);
  let comments = 0;
  for await (const { task, comments: ofTask, items } of tasksWithParts(tx, workspaceId)) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    counts.add(task);
    indexes.add(task);
    links.add(task, !purged.has(task.boardId) && !purgesPages);
    const board = boards.get(task.boardId);
    if (board === undefined) {
      if (purged.has(task.boardId) || purgesPages) continue;
      await unreachable.add(task, () => report('reference', task.id, 'is on a board that does not exist'));
      continue;
    }
    if (structure.isRemovedTask(task.id)) {
      if (purges.length > 0) continue;
      const detail = 'is a task whose page was removed, and no job removes the task';
      await unreachable.add(task, () => report('content', task.id, detail));
      continue;
    }
    checkTask(structure, board, task, lastNum, seen, report);
    comments += ofTask.length;
    checkComments(structure, task, ofTask, report);
    checkChecklist(structure, task, items, seen, report);
  }
  await unreachable.settle();
  await trashFindings(tx, structure, report, yielder, links);
  for await (const { id, detail } of links.faults(yielder)) report('link', id, detail);
  await counts.compare(tx, workspaceId, boards.keys(), report);
  await indexes.compare(tx, report);
  await checkTaskPages(structure, seen, report, yielder);
  return { findings, tasks: seen.tasks.size, comments };
}

async function checkTaskPages(
  structure: Structure,
  seen: TakenValues,
  report: Report,
  yielder: Yielder,
): Promise<void> {
  for (const page of structure.pages()) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    if (page.boardId !== null && !seen.tasks.has(page.id))
      report('content', page.id, 'is the page of a task that does not exist');
  }
}

/** The fields of a comment that are checked, without its text, which may be long. */
type CheckedComment = Pick<Comment, 'id' | 'authorId'>;

/** A task with what belongs to it. */
interface TaskWithParts {
  readonly task: Task;
  readonly comments: readonly CheckedComment[];
  readonly items: readonly ChecklistItem[];
}

async function* tasksWithParts(tx: ReadTransaction, workspaceId: string): AsyncIterableIterator<TaskWithParts> {
  const readTask = async (task: Task): Promise<TaskWithParts> => {
    const [ofTask, items] = await Promise.all([checkedCommentsOf(tx, task), storedItemsOf(tx, workspaceId, task.id)]);
    return { task, comments: ofTask, items };
  };
  for await (const tasks of storedTaskSlices(tx, workspaceId)) {
    for (const some of readTogether(tasks, ({ commentCount }) => commentCount)) {
      yield* await Promise.all(some.map(readTask));
    }
  }
}

async function checkedCommentsOf(tx: ReadTransaction, task: Task): Promise<readonly CheckedComment[]> {
  const comments: CheckedComment[] = [];
  for await (const { id, authorId } of eachCommentOf(tx, task)) comments.push({ id, authorId });
  return comments;
}

/** The most jobs of one workspace that are read. */
const JOBS = 10_000;

interface TakenValues {
  readonly nums: Set<number>;
  readonly places: Set<string>;
  readonly externalIds: Set<string>;
  readonly tasks: Set<string>;
  /** Assignments of ended memberships, which a job is removing. */
  readonly ended: ReadonlySet<string>;
}

async function boardsOf(
  tx: ReadTransaction,
  structure: Structure,
  jobs: readonly Job[],
  report: Report,
  yielder: Yielder,
): Promise<ReadonlyMap<string, Board>> {
  const pages: Page[] = [];
  for (const page of structure.pages()) {
    if (page.type === 'board') pages.push(page);
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
  const ids = pages.map((page) => page.id);
  const boards = await tx.boards.many(structure.workspace.id, ids);
  for (const page of pages) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const board = boards.get(page.id);
    if (board === undefined) report('content', page.id, 'is the page of a board that does not exist');
    else checkBoard(page, board, report);
  }
  for (const board of boards.values()) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    for (const { id, removal } of [...board.statuses, ...board.tags]) {
      const known = removal === undefined || jobs.some((job) => job.id === removal.jobId);
      if (!known) report('content', id, 'is being removed, but no job does so');
    }
  }
  return boards;
}

function checkTask(
  structure: Structure,
  board: Board,
  task: Task,
  lastNum: number,
  seen: TakenValues,
  report: Report,
): void {
  const { id } = task;
  seen.tasks.add(id);
  const place = `${task.statusId} ${task.statusOrderKey}`;
  if (seen.nums.has(task.num)) report('num', id, `has the number ${task.num} of another task`);
  if (task.num > lastNum) report('num', id, `has the number ${task.num}, which was never assigned`);
  if (seen.places.has(place)) report('order', id, 'has the sort key of another task');
  if (!Number.isInteger(task.statusOrderKey) || Math.abs(task.statusOrderKey) > KEY_LIMIT) {
    report('order', id, 'has no valid order key');
  }
  if (task.externalId !== null && seen.externalIds.has(task.externalId))
    report('external-id', id, 'has the external id of another record');
  seen.nums.add(task.num);
  seen.places.add(place);
  if (task.externalId !== null) seen.externalIds.add(task.externalId);
  const { statuses, tags } = namesOn(board);
  if (!statuses.has(task.statusId)) report('reference', id, 'has a status that is not on its board');
  for (const tagId of task.tags) {
    if (!tags.has(tagId)) report('reference', id, `has a tag that is not on its board: ${tagId}`);
  }
  for (const assignment of task.assignees) {
    const known = isCurrent(structure, assignment) || seen.ended.has(assignment);
    if (!known) report('reference', id, `is assigned to an unknown member: ${assignment}`);
  }
  checkTaskReferences(structure, task, report);
}

function checkChecklist(
  structure: Structure,
  task: Task,
  items: readonly ChecklistItem[],
  { ended }: TakenValues,
  report: Report,
): void {
  const { checklistTotal, checklistDone } = checklistCounts(items);
  if (checklistTotal !== task.checklistTotal || checklistDone !== task.checklistDone) {
    const counted = `${task.checklistDone} of ${task.checklistTotal}`;
    report('checklist', task.id, `has ${checklistDone} of ${checklistTotal} items done and counts ${counted}`);
  }
  for (const [i, { id, orderKey, assigneeId }] of items.entries()) {
    if (orderKey === items[i - 1]?.orderKey) report('order', id, 'has the sort key of another item');
    if (!Number.isInteger(orderKey) || Math.abs(orderKey) > KEY_LIMIT) report('order', id, 'has no valid order key');
    if (assigneeId === null || isCurrent(structure, assigneeId) || ended.has(assigneeId)) continue;
    report('reference', id, `is assigned to an unknown member: ${assigneeId}`);
  }
}

function checkComments(structure: Structure, task: Task, comments: readonly CheckedComment[], report: Report): void {
  if (comments.length !== task.commentCount) {
    report('comment', task.id, `has ${comments.length} comments and counts ${task.commentCount}`);
  }
  for (const comment of comments) checkAuthor(structure, comment, report);
}
