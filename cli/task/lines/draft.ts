import type { CreateTask } from '../../../core/task/create.ts';
import { usage } from '../../io/failure.ts';
import { allNamed } from '../../refs/resolve-name.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { TOLD_ONLY, type LineRecord } from './format.ts';
import { eachOf, expandedNames, oneNameEach, people, plainValues } from './values.ts';

export type Draft = Omit<CreateTask, 'workspaceId'>;

/**
 * What a line asks for. What a list has told of another task becomes a task like it: on another board, the column and
 * the tags go by their names there, and what that board has not is left out.
 *
 * @param boardRef takes the place of the board that the line names
 */
export async function draftOf(line: LineRecord, space: WorkspaceLookup, boardRef: string | undefined): Promise<Draft> {
  const record = oneNameEach(line);
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
  if (typeof ref !== 'string') throw usage('It names no board, and there is no --board.');
  const boardId = await space.board(ref);
  const comesOver = isListed && typeof record['boardId'] === 'string' && record['boardId'] !== boardId;
  const there = comesOver ? await fromBoard(space, record, boardId) : undefined;
  const { statusId: ____, ...withoutStatus } = rest;
  return {
    ...((there === undefined ? rest : withoutStatus) as unknown as Draft),
    ...plainValues(record),
    boardId,
    ...(typeof status === 'string' ? { statusId: await space.status(boardId, status) } : there?.status),
    ...(tags === undefined ? {} : { tags: there?.tags ?? (await eachOf(tags, (name) => space.tag(boardId, name))) }),
    ...(assignees === undefined ? {} : { assignees: await people(space, assignees) }),
  };
}

/** Without what a list only tells. */
function given(record: LineRecord): Record<string, unknown> {
  const ignored = [...TOLD_ONLY, 'id', 'num', 'version'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !ignored.includes(name)));
}

/** The column and tags of the new board that are called as those of the old one. */
async function fromBoard(space: WorkspaceLookup, record: LineRecord, boardId: string) {
  const old = () => space.boardView(record['boardId'] as string);
  const now = await space.boardView(boardId);
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
