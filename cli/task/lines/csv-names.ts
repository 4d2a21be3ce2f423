import type { TaskSummary } from '../../../core/task/view.ts';
import { Failure } from '../../io/failure.ts';
import { plainCell } from '../../output/format/csv.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';

/**
 * The texts of CSV cells for ids in tasks: the path of a board, the name of a status or tag, the e-mail address of a
 * member; or the id itself if such a text would resolve to another record or to none.
 */
export async function csvNames(
  workspace: WorkspaceLookup,
  tasks: readonly TaskSummary[],
): Promise<(id: string) => string> {
  const boards = new Map((await workspace.namedPages(['board'])).map(({ id, names }) => [id, names.slice(-2)]));
  const emails = new Map((await workspace.members()).map(({ id, email }) => [id, [email]]));
  const texts = new Map<string, string>();
  const add = async (id: string, names: readonly string[], find: (ref: string) => Promise<string>): Promise<void> => {
    for (const name of names) {
      if (!texts.has(id) && (await foundBy(plainCell(name), find)) === id) texts.set(id, name);
    }
    if (!texts.has(id)) texts.set(id, id);
  };
  for (const { boardId, statusId, tags, assignees } of tasks) {
    for (const id of unknown(assignees)) await add(id, emails.get(id) ?? [], (ref) => workspace.member(ref));
    if (boardId === null) continue;
    for (const id of unknown([boardId])) await add(id, boards.get(id) ?? [], (ref) => workspace.board(ref));
    const nameIn = (parts: readonly { readonly id: string; readonly name: string }[], id: string) =>
      parts.filter((part) => part.id === id).map(({ name }) => name);
    const view = await workspace.boardView(boardId);
    for (const id of unknown(statusId === null ? [] : [statusId])) {
      await add(id, nameIn(view.statuses, id), (ref) => workspace.status(boardId, ref));
    }
    for (const id of unknown(tags)) await add(id, nameIn(view.tags, id), (ref) => workspace.tag(boardId, ref));
  }
  return (id) => texts.get(id) ?? id;

  function unknown(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => !texts.has(id));
  }
}

/** The id that is found; null if there is none, or more than one. */
async function foundBy(ref: string, find: (ref: string) => Promise<string>): Promise<string | null> {
  try {
    return await find(ref);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
