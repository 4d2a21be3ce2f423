import type { Session } from '../../../../core/session.ts';

/** A board with one status in a new workspace. */
export async function boardOf(session: Session) {
  const { id: workspaceId } = await session.workspaces.create({ name: 'Acme' });
  return { workspaceId, boardId: await boardIn(session, workspaceId) };
}

/** @returns the id of a new board with one status */
export async function boardIn(session: Session, workspaceId: string): Promise<string> {
  const { id: boardId } = await session.boards.create({ workspaceId, name: 'Kanban' });
  await session.statuses.create({ workspaceId, boardId, name: 'Open' });
  return boardId;
}
