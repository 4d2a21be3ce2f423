import type { ExpectedVersion } from '../../../core/kernel/record.ts';
import { withoutNulls, type UpdateTask } from '../../../core/task/update.ts';
import type { Metadata } from '../../../core/model/metadata.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import type { ExternalIds } from '../external-ids.ts';
import type { ShownTask } from '../names.ts';
import { preview } from '../preview.ts';
import { requireBoardShown } from '../would-refuse.ts';
import { withFieldNames, eachOf, people, plainValues } from './values.ts';
import { READ_ONLY, type TaskLine, type LineRecord } from './format.ts';
import { failed, made, type LineReport } from './report.ts';
import type { TasksOfLines } from './tasks-of-lines.ts';
import { tryUpdate } from './trial.ts';

type ParsedLine = Exclude<TaskLine, { readonly error: unknown }>;
type LineChanges = Omit<UpdateTask, 'workspaceId' | 'taskId'>;

/**
 * Updates the task of a line. A line with a `version` is refused if the task has another.
 *
 * @param trial of a dry run; null: the change is written
 */
export async function editLine(
  workspace: WorkspaceLookup,
  tasks: TasksOfLines,
  { line, record, asRead }: ParsedLine,
  trial: ExternalIds | null,
): Promise<LineReport> {
  try {
    const { session, workspaceId } = workspace;
    const task = await tasks.taskOf(record);
    const changes = differences(task, await changesIn(record, task, workspace), asRead);
    if (Object.keys(changes).length === 0) return made(line, task, false);
    const read = versionIn(record);
    const options = read === undefined ? {} : { ifVersion: [read] };
    if (trial !== null) {
      await tryUpdate(workspace, task, changes, options);
      requireBoardShown(task, changes);
      const after = await preview(workspace, task, withoutNulls(changes));
      await trial.give(task, changes.externalId);
      tasks.foresee(after);
      return made(line, task);
    }
    const changed = await session.tasks.update({ workspaceId, taskId: task.id, ...changes }, options);
    tasks.keep(changed);
    return made(line, changed);
  } catch (error) {
    return failed(line, error);
  }
}

/** The version that was read, if the line has it. */
function versionIn({ version, boardHidden }: LineRecord): ExpectedVersion | undefined {
  if (typeof version !== 'number') return undefined;
  return typeof boardHidden === 'boolean' ? { version, boardHidden } : version;
}

async function changesIn(line: LineRecord, task: ShownTask, workspace: WorkspaceLookup): Promise<LineChanges> {
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
function differences(task: ShownTask, changes: LineChanges, asRead: ParsedLine['asRead']): LineChanges {
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
