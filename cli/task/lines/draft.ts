import type { CreateTask } from '../../../core/task/create.ts';
import { usage } from '../../io/failure.ts';
import { allNamed } from '../../refs/resolve-name.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { READ_ONLY, type LineRecord } from './format.ts';
import { eachOf, expandedNames, withFieldNames, people, plainValues } from './values.ts';

export type LineDraft = Omit<CreateTask, 'workspaceId'>;

/**
 * The task draft of a line. A line printed by a list of tasks becomes a copy of that task: on another board, status and
 * tags are matched by name, and left out if that board has none.
 *
 * @param boardRef overrides the board named in the line
 */
export async function draftOf(
  line: LineRecord,
  workspace: WorkspaceLookup,
  boardRef: string | undefined,
): Promise<LineDraft> {
  const record = withFieldNames(line);
  const isListed = 'id' in record || 'num' in record;
  const {
    board,
    status,
    tags,
    assignees,
    start: _,
    end: __,
    priority: ___,
    ...rest
  } = isListed ? given(record) : record;
  const ref = boardRef ?? (typeof board === 'string' ? board : rest['boardId']);
  if (typeof ref !== 'string') throw usage('No board given: set board or use --board.');
  const boardId = await workspace.board(ref);
  const comesOver = isListed && typeof record['boardId'] === 'string' && record['boardId'] !== boardId;
  const there = comesOver ? await fromBoard(workspace, record, boardId) : undefined;
  const { statusId: ____, ...withoutStatus } = rest;
  return {
    ...((there === undefined ? rest : withoutStatus) as unknown as LineDraft),
    ...plainValues(record),
    boardId,
    ...(typeof status === 'string' ? { statusId: await workspace.status(boardId, status) } : there?.status),
    ...(tags === undefined
      ? {}
      : { tags: there?.tags ?? (await eachOf(tags, (name) => workspace.tag(boardId, name))) }),
    ...(assignees === undefined ? {} : { assignees: await people(workspace, assignees) }),
  };
}

/** Without read-only fields. */
function given(record: LineRecord): Record<string, unknown> {
  const ignored = [...READ_ONLY, 'id', 'num', 'version'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !ignored.includes(name)));
}

/** The status and tags of the new board with the names of the old ones. */
async function fromBoard(workspace: WorkspaceLookup, record: LineRecord, boardId: string) {
  const old = () => workspace.boardView(record['boardId'] as string);
  const now = await workspace.boardView(boardId);
  const nameOf = (things: readonly { readonly id: string; readonly name: string }[], id: unknown) =>
    things.flatMap((thing) => (thing.id === id ? [thing.name] : []));
  const status = expandedNames(record, 'status') ?? nameOf((await old()).statuses, record['statusId']);
  const ids = Array.isArray(record['tags']) ? (record['tags'] as readonly unknown[]) : [];
  const tags =
    expandedNames(record, 'tags') ?? (await Promise.all(ids.map(async (id) => nameOf((await old()).tags, id)))).flat();
  const idsOf = (names: readonly string[], things: readonly { readonly id: string; readonly name: string }[]) =>
    names
      .flatMap((name) =>
        allNamed(
          name,
          things.map((thing) => ({ id: thing.id, names: [thing.name], shown: '' })),
        ),
      )
      .map(({ id }) => id);
  const [statusId] = idsOf(status, now.statuses);
  return { status: statusId === undefined ? {} : { statusId }, tags: idsOf(tags, now.tags) };
}
