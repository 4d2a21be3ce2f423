import type { CommandCall } from '../call.ts';
import { option, type OptionValues } from '../option.ts';
import type { BoardPart } from './workspace-lookup.ts';

export const BOARD = option('-b, --board <board>', 'name, path or id of the board', { required: true });
export const ITS_BOARD = option('-b, --board <board>', 'board (only needed if several boards have it)');

/** The board of `--board`. */
export async function boardOfCall(call: CommandCall<OptionValues<[typeof BOARD]>>) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  return { workspace, session, workspaceId, boardId: await workspace.board(call.options.board) };
}

/** The status or tag of the first argument, on the board of `--board` or the only board that has one of this name. */
export async function boardPartOf(call: CommandCall<OptionValues<[typeof ITS_BOARD]>>, kind: BoardPart) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const [board, ref] = [call.options.board, call.arg(0)];
  if (board === undefined) {
    const { boardId, id } = await workspace.onlyOnBoards(kind, ref);
    return { workspace, session, workspaceId, boardId, id };
  }
  const boardId = await workspace.board(board);
  return { workspace, session, workspaceId, boardId, id: await workspace.existing(kind, boardId, ref) };
}
