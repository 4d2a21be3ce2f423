import { cutTo } from '../../adapters/formats/trello/index.ts';
import type { Session } from '../../core/session.ts';
import type { WorkspaceView } from '../../core/workspace/workspaces.ts';
import { missing, usage } from '../io/failure.ts';
import { stopped } from '../io/io.ts';
import { isId } from '../../core/kernel/id.ts';
import { workspaceNamed } from '../refs/workspace-lookup.ts';

/** The longest name of a workspace, in characters. A board may have a longer one. */
const LONGEST_NAME = 200;

export interface TargetWorkspace {
  readonly workspace: WorkspaceView;
  /** Whether it was created for this import. */
  readonly isNew: boolean;
}

/**
 * The workspace for a board: the named one, the one that already has the board, the only one, or else a new one with
 * the board's name, truncated to the bound for names of workspaces.
 *
 * @param stop ends the wait for the list of workspaces
 * @throws a usage failure if there are several and none is named, or several have the name
 */
export async function workspaceFor(
  actor: Session,
  board: { readonly externalId: string; readonly name: string },
  named: string | undefined,
  stop: AbortSignal = new AbortController().signal,
): Promise<TargetWorkspace> {
  const workspaces = await Promise.race([actor.workspaces.list(), stopped({ stop })]);
  const name = cutTo(board.name, LONGEST_NAME);
  if (named === undefined) {
    for (const workspace of workspaces) {
      const boards = await actor.boards.list({ workspaceId: workspace.id });
      if (boards.some((one) => one.externalId === board.externalId)) return { workspace, isNew: false };
    }
    const [only, ...others] = workspaces;
    if (only === undefined) return { workspace: await actor.workspaces.create({ name }), isNew: true };
    if (others.length === 0) return { workspace: only, isNew: false };
    throw usage(
      'No workspace given: choose one with --workspace.',
      ...workspaces.map(({ alias, name }) => `${alias}  ${name}`),
    );
  }
  const known = workspaceNamed(workspaces, named);
  if (known !== undefined) return { workspace: known, isNew: false };
  if (isId(named)) throw missing(`There is no workspace ${named}.`);
  if (!/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/.test(named)) {
    throw usage(
      `There is no workspace ${JSON.stringify(named)}, and it cannot be the alias of a new one.`,
      'An alias is 2 to 63 of a-z, 0-9 and inner hyphens.',
    );
  }
  return { workspace: await actor.workspaces.create({ name, alias: named }), isNew: true };
}
