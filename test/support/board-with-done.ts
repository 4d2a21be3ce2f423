import { newTeam, type Team } from './world-team.ts';

/** A team, and a board with three statuses, of which the last means done. */
export async function boardWithDone(): Promise<
  Team & { readonly boardId: string; readonly todo: string; readonly doing: string; readonly done: string }
> {
  const team = await newTeam();
  const board = await team.board('Board');
  const add = async (name: string, done: boolean) =>
    (await team.owner.statuses.create({ ...team.at, boardId: board.id, name, done })).id;
  return {
    ...team,
    boardId: board.id,
    todo: board.todo,
    doing: await add('Doing', false),
    done: await add('Done', true),
  };
}
