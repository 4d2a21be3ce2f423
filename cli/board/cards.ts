import type { BoardView } from '../../core/board/view.ts';
import type { Card } from '../output/record/board.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

const MAX_CARDS = 500;

/** The first tasks of a board, with the names of their assignees. */
export async function cardsOf(workspace: WorkspaceLookup, { id }: BoardView): Promise<readonly Card[]> {
  const { session, workspaceId } = workspace;
  const { items } = await session.tasks.list({ workspaceId, boardId: [id], sort: ['position'], limit: MAX_CARDS });
  const members = new Map((await workspace.members()).map((member) => [member.id, member.name]));
  return items.map((task) => ({ ...task, people: task.assignees.map((one) => members.get(one) ?? '?') }));
}
