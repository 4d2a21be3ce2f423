import type { CreateTask } from '../../core/task/create.ts';
import { usage } from '../io/failure.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

export type Draft = Omit<CreateTask, 'workspaceId'>;

/** What a line of JSON asks for: the fields of the API; `board`, `status`, `tags` and `assignees` may be names. */
export async function draftOf(json: string, space: WorkspaceLookup, boardRef: string | undefined): Promise<Draft> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw usage(`It is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage('It is not a JSON object.');
  const { board, status, tags, assignees, ...rest } = value as Record<string, unknown>;
  const ref = typeof rest['boardId'] === 'string' ? rest['boardId'] : typeof board === 'string' ? board : boardRef;
  if (ref === undefined) throw usage('It names no board, and there is no --board.');
  const boardId = await space.board(ref);
  const statusRef = typeof status === 'string' ? { statusId: await space.status(boardId, status) } : {};
  const names = async (list: readonly unknown[], find: (name: string) => Promise<string>) => {
    const ids: string[] = [];
    // What is no name is left to the engine, which says what is wrong with it.
    for (const name of list) ids.push(typeof name === 'string' ? await find(name) : (name as string));
    return ids;
  };
  return {
    ...(rest as unknown as Draft),
    boardId,
    ...statusRef,
    ...(Array.isArray(tags) ? { tags: await names(tags, (name) => space.tag(boardId, name)) } : {}),
    ...(Array.isArray(assignees) ? { assignees: await names(assignees, (name) => space.member(name)) } : {}),
  };
}
