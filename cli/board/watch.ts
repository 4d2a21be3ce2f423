import type { BoardSummary } from '../../core/board/view.ts';
import type { CommandCall } from '../call.ts';
import { eventLine } from '../changes/event-line.ts';
import { EventNames } from '../changes/event-names.ts';
import { onceInReach } from '../changes/once-in-reach.ts';
import { boardPicture } from '../output/record/board.ts';
import type { TableColumn } from '../output/table/column.ts';
import { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { cardsOf } from './cards.ts';
import { PictureInPlace } from './picture-in-place.ts';
import { Rerun } from './rerun.ts';

/**
 * On a terminal, redraws the picture in place whenever something changes, such as the size of the terminal. Elsewhere,
 * prints the picture, then a line for each event.
 *
 * @param columns for JSON and `--fields`
 */
export async function watchBoard(
  call: CommandCall,
  { session, workspaceId }: WorkspaceLookup,
  boardId: string,
  columns: readonly TableColumn<BoardSummary>[],
): Promise<void> {
  const { out, io } = call;
  const stop = new AbortController();
  const end = () => stop.abort();
  io.stop.addEventListener('abort', end);
  if (io.stop.aborted) end();
  const place = new PictureInPlace(io.stdout);
  let since = '';
  const draw = async () => {
    // Reads names anew, as they may have changed too.
    const workspace = new WorkspaceLookup(session, workspaceId);
    const view = await session.boards.get({ workspaceId, boardId }, { onCursor: (cursor) => (since ||= cursor) });
    if (!out.isForPeople) return out.record(view, columns);
    const picture = boardPicture(view, await cardsOf(workspace, view), out.style, out.width ?? 100);
    if (io.stdout.isTTY) place.draw(picture);
    else out.raw(picture);
  };
  await draw();
  let failure: { readonly error: unknown } | undefined;
  const drawAgain = async () => void (await onceInReach(draw, stop.signal));
  const redraw = new Rerun(drawAgain, (error) => {
    failure = { error };
    end();
  });
  if (out.isForPeople) io.stdout.onResize(() => redraw.request());
  const isInLines = out.isForPeople && !io.stdout.isTTY;
  const names = isInLines ? await EventNames.of(new WorkspaceLookup(session, workspaceId)) : undefined;
  const watched = { workspaceId, since, boardId: [boardId], signal: stop.signal } as const;
  for await (const event of session.changes.watch(isInLines ? { ...watched, include: ['record'] } : watched)) {
    if (names === undefined) redraw.request();
    else {
      if (!(await onceInReach(() => names.learn(event), stop.signal))) break;
      out.raw(eventLine(event, names, out.style));
      await io.stdout.flushed();
    }
  }
  await redraw.settled();
  if (failure !== undefined) throw failure.error;
}
