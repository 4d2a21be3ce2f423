import type { Call } from '../call.ts';
import type { BoardPart } from './workspace-lookup.ts';

/** The status or tag of the first argument, on the board of `--board` or the only board that has one of this name. */
export async function boardPartOf(call: Call<{ readonly board: string | undefined }>, kind: BoardPart) {
  const space = await call.space();
  const { session, workspaceId } = space;
  const [board, ref] = [call.options.board, call.arg(0)];
  if (board === undefined) {
    const { boardId, id } = await space.onlyOnBoards(kind, ref);
    return { space, session, workspaceId, boardId, id };
  }
  const boardId = await space.board(board);
  return { space, session, workspaceId, boardId, id: await space[kind](boardId, ref) };
}
