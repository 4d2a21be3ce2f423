import type { Call } from '../call.ts';
import type { BoardPart } from './workspace-lookup.ts';

/** The status or tag of the first argument, on the board of `--board` or the only board that has one of this name. */
export async function boardPartOf(call: Call<{ readonly board: string | undefined }>, kind: BoardPart) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const [board, ref] = [call.options.board, call.arg(0)];
  if (board === undefined) {
    const { boardId, id } = await workspace.onlyOnBoards(kind, ref);
    return { workspace, session, workspaceId, boardId, id };
  }
  const boardId = await workspace.board(board);
  return { workspace, session, workspaceId, boardId, id: await workspace[kind](boardId, ref) };
}
