import type { ExpectedVersion } from '../../../core/kernel/record.ts';
import { withoutNulls, type UpdateTask } from '../../../core/task/update.ts';
import type { Metadata } from '../../../core/model/metadata.ts';
import type { TaskView } from '../../../core/task/view.ts';
import { usage } from '../../io/failure.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { preview } from '../preview.ts';
import { requireBoardShown } from '../would-refuse.ts';
import { withFieldNames, eachOf, people, plainValues } from './values.ts';
import { READ_ONLY, type TaskLine, type LineRecord } from './format.ts';
import { failed, made, type LineReport } from './report.ts';
import { tryUpdate } from './trial.ts';

type ParsedLine = Exclude<TaskLine, { readonly error: unknown }>;
type LineChanges = Omit<UpdateTask, 'workspaceId' | 'taskId'>;

/** Updates the task of a line. A line with a `version` is refused if the task has another. */
export async function editLine(
  workspace: WorkspaceLookup,
  { line, record, asRead }: ParsedLine,
  isTrial: boolean,
): Promise<LineReport> {
  try {
    const { session, workspaceId } = workspace;
    const taskId = await taskIn(record, workspace);
    const task = await session.tasks.get({ workspaceId, taskId });
    const changes = differences(task, await changesIn(record, task, workspace), asRead);
    if (Object.keys(changes).length === 0) return made(line, task, false);
    const read = versionIn(record);
    const options = read === undefined ? {} : { ifVersion: [read] };
    if (isTrial) {
      await tryUpdate(workspace, task, changes, options);
      requireBoardShown(task, changes);
      await preview(workspace, task, withoutNulls(changes));
      return made(line, task);
    }
    return made(line, await session.tasks.update({ workspaceId, taskId, ...changes }, options));
  } catch (error) {
    return failed(line, error);
  }
}

/** The version that was read, if the line has it. */
function versionIn({ version, boardHidden }: LineRecord): ExpectedVersion | undefined {
  if (typeof version !== 'number') return undefined;
  return typeof boardHidden === 'boolean' ? { version, boardHidden } : version;
}

function taskIn({ id, num }: LineRecord, workspace: WorkspaceLookup): Promise<string> {
  if (typeof id === 'string') return workspace.task(id);
  if (typeof num === 'number' || typeof num === 'string') return workspace.task(String(num));
  throw usage('No task given: set id or num.');
}

async function changesIn(line: LineRecord, task: TaskView, workspace: WorkspaceLookup): Promise<LineChanges> {
  const record = withFieldNames(line);
  const {
    id: _,
    num: __,
    version: ___,
    board,
    status,
    tags,
    assignees,
    start: ____,
    end: _____,
    priority: ______,
    ...rest
  } = record;
  const given = Object.fromEntries(Object.entries(rest).filter(([name]) => !READ_ONLY.includes(name)));
  const boardId = typeof board === 'string' ? await workspace.board(board) : (given['boardId'] ?? task.boardId);
  if (typeof boardId !== 'string') return { ...given, ...plainValues(record) };
  return {
    ...given,
    ...plainValues(record),
    boardId,
    ...(typeof status === 'string' ? { statusId: await workspace.status(boardId, status) } : {}),
    ...(tags === undefined ? {} : { tags: await eachOf(tags, (name) => workspace.tag(boardId, name)) }),
    ...(assignees === undefined ? {} : { assignees: await people(workspace, assignees) }),
  };
}

/**
 * Drops unchanged fields, and texts that read as an unchanged one does in a format that is less precise: together with
 * a new status, an unchanged sort key or completion would count as a new value.
 */
function differences(task: TaskView, changes: LineChanges, asRead: ParsedLine['asRead']): LineChanges {
  const now: Readonly<Record<string, unknown>> = {
    ...task,
    plannedStartDate: task.dateStart,
    plannedEndDate: task.dateEnd,
  };
  const isAsRead = (name: string, text: unknown, value: unknown) =>
    asRead !== undefined && typeof text === 'string' && asRead(name, text) === value;
  const entries = Object.entries(changes).filter(([name, value]) =>
    name === 'metadata'
      ? !isMerged(task.metadata, value as UpdateTask['metadata'])
      : JSON.stringify(value) !== JSON.stringify(now[name]) && !isAsRead(name, now[name], value),
  );
  return Object.fromEntries(entries);
}

/** Whether the metadata has these values already. */
function isMerged(now: Metadata, changes: UpdateTask['metadata']): boolean {
  if (changes === null || typeof changes !== 'object') return Object.keys(now).length === 0 && changes === null;
  return Object.entries(changes).every(([key, value]) => (Object.hasOwn(now, key) ? now[key] : null) === value);
}
