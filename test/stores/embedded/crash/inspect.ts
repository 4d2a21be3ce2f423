import type { Change } from '../../../../core/model/log/change.ts';
import type { ReadTransaction, Store } from '../../../../core/ports/store.ts';
import type { TaskQuery } from '../../../../core/model/content/task-query.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import { WORKSPACE_ID } from './workload.ts';

const PART = 500;

/**
 * What is wrong in a store that the workload ran on: acknowledged changes that are missing, records that
 * are not what the change records tell, indexes that do not agree with the records.
 *
 * @param acknowledged ids of change records
 */
export function inspect(store: Store, acknowledged: Iterable<string>): Promise<string[]> {
  return store.read(async (tx) => {
    const changes = await allChanges(tx);
    const tasks = await allTasks(tx, []);
    const known = new Set(changes.map(({ id }) => id));
    const lost = Array.from(acknowledged).filter((id) => !known.has(id));
    return [
      ...lost.map((id) => `change ${id} was acknowledged and is lost`),
      ...againstChanges(tasks, changes),
      ...(await indexes(tx, tasks)),
      ...(await comments(tx, tasks, changes)),
      ...(await tree(tx, changes)),
    ];
  });
}

/** Each version of a task must have been made once, and the last be there unless it was deleted. */
function againstChanges(tasks: readonly Task[], changes: readonly Change[]): string[] {
  const problems: string[] = [];
  const versions = new Map<string, number[]>();
  const deleted = new Set<string>();
  for (const { kind, action, recordId, version } of changes) {
    if (kind !== 'task') continue;
    versions.set(recordId, [...(versions.get(recordId) ?? []), version]);
    if (action === 'delete') deleted.add(recordId);
  }
  for (const [id, made] of versions) {
    const inOrder = made.toSorted((a, b) => a - b);
    if (inOrder.some((version, i) => version !== i + 1)) problems.push(`task ${id} has versions ${inOrder.join()}`);
  }
  for (const { id, version } of tasks) {
    if (version !== versions.get(id)?.length) problems.push(`task ${id} is at version ${version}`);
    if (deleted.has(id)) problems.push(`task ${id} was deleted and is there`);
  }
  const live = versions.size - deleted.size;
  if (tasks.length !== live) problems.push(`${tasks.length} tasks are there, ${live} should be`);
  return problems;
}

async function indexes(tx: ReadTransaction, tasks: readonly Task[]): Promise<string[]> {
  const problems: string[] = [];
  const nums = new Set(tasks.map(({ num }) => num));
  if (nums.size !== tasks.length) problems.push('a running number was given twice');
  if (Math.max(0, ...nums) > (await tx.tasks.lastNum(WORKSPACE_ID))) problems.push('the last running number is behind');
  for (const each of tasks) {
    const found = await tx.tasks.byExternalId(WORKSPACE_ID, each.externalId ?? '');
    if (found?.id !== each.id) problems.push(`task ${each.id} is not found by externalId`);
  }
  const by = async (filters: TaskQuery['filters'], chosen: readonly Task[], what: string): Promise<void> => {
    const found = await allTasks(tx, filters);
    if (found.map(({ id }) => id).join() !== chosen.map(({ id }) => id).join()) problems.push(`${what} differs`);
  };
  for (const boardId of new Set(tasks.map((each) => each.boardId))) {
    await by(
      [{ field: 'boardId', in: [boardId] }],
      tasks.filter((each) => each.boardId === boardId),
      'a board',
    );
    await by(
      [{ field: 'assignees', in: [boardId] }],
      tasks.filter((each) => each.assignees.includes(boardId)),
      'an assignee',
    );
  }
  await by(
    [{ field: 'assignees', in: [null] }],
    tasks.filter((each) => each.assignees.length === 0),
    'nobody',
  );
  let inColumns = 0;
  for (const statusId of new Set(tasks.map((each) => each.statusId))) {
    const column = await tx.tasks.column(WORKSPACE_ID, statusId, { limit: tasks.length + 1 });
    inColumns += column.length;
    if (column.some((each) => each.statusId !== statusId)) problems.push(`column ${statusId} has tasks of others`);
  }
  if (inColumns !== tasks.length) problems.push(`${inColumns} tasks are in columns`);
  return problems;
}

async function comments(tx: ReadTransaction, tasks: readonly Task[], changes: readonly Change[]): Promise<string[]> {
  const problems: string[] = [];
  const told = new Set(changes.filter(({ kind }) => kind === 'comment').map(({ recordId }) => recordId));
  for (const { id, commentCount } of tasks) {
    const said = await tx.comments.list('ofTask', { workspaceId: WORKSPACE_ID, taskId: id }, { limit: Infinity });
    if (said.length !== commentCount) problems.push(`task ${id} counts ${commentCount} comments of ${said.length}`);
    if (said.some((each) => !told.has(each.id))) problems.push(`task ${id} has a comment that nobody made`);
  }
  return problems;
}

async function tree(tx: ReadTransaction, changes: readonly Change[]): Promise<string[]> {
  const structure = await tx.structures.get(WORKSPACE_ID);
  const told = new Set(changes.filter(({ kind }) => kind === 'page').map(({ recordId }) => recordId));
  const pages = Array.from(structure?.pages() ?? []);
  const problems: string[] = [];
  if (structure?.revision !== 1 + told.size)
    problems.push(`revision ${structure?.revision} after ${told.size} changes`);
  if (pages.length !== told.size) problems.push(`${pages.length} pages are there, ${told.size} should be`);
  for (const { id, parentId } of pages) {
    if (!structure?.children(parentId).some((child) => child.id === id)) problems.push(`page ${id} is no child`);
  }
  return problems;
}

async function allTasks(tx: ReadTransaction, filters: TaskQuery['filters']): Promise<Task[]> {
  const sort = [
    { field: 'num', descending: false },
    { field: 'id', descending: false },
  ] as const;
  const query = { workspaceId: WORKSPACE_ID, scope: null, filters, sort, limit: PART };
  const found: Task[] = [];
  for (;;) {
    const last = found.at(-1);
    const part = await tx.tasks.find({ ...query, after: last === undefined ? null : [last.num, last.id] });
    found.push(...(part as Task[]));
    if (part.length < PART) return found;
  }
}

async function allChanges(tx: ReadTransaction): Promise<Change[]> {
  const found: Change[] = [];
  for (;;) {
    const part = await tx.changes.list(
      'ofWorkspace',
      { workspaceId: WORKSPACE_ID },
      { after: found.at(-1)?.id ?? null, limit: PART },
    );
    found.push(...part);
    if (part.length < PART) return found;
  }
}
