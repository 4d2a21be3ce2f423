import type { Espalier } from '../../adapters/service/index.ts';
import { someAdministrator, workspaceOwner, workspacesWhere } from '../../adapters/service/look-ups.ts';
import type { Session } from '../../core/session.ts';
import type { OpenedSession } from '../config/connection.ts';
import { OPERATOR, actingUser } from '../config/connection.ts';
import { Failure, missing, usage } from '../io/failure.ts';
import type { Settings } from '../config/settings.ts';
import { fold } from '../refs/resolve-name.ts';
import { workspaceNamed } from '../refs/workspace-lookup.ts';

/** The sessions used by an import. */
export interface ImportHost {
  /** The user who finds or creates the workspace, and owns the board. */
  readonly actor: Session;
  /** The caller of the import, who may set authors and times. */
  readonly importer: Session;
  /** The session of a user who has to join first; null if the caller cannot act for others. */
  readonly sessionOf: ((email: string) => Promise<Session>) | null;
}

export async function importHost(connection: OpenedSession, settings: Settings): Promise<ImportHost> {
  const { local, session } = connection;
  if (local === null) return { actor: session, importer: session, sessionOf: null };
  return localHost(local, settings.value('as'), settings.value('workspace'));
}

/** On a local store, the operator imports on behalf of `--as`, an owner of the workspace, or an administrator. */
export async function localHost(espalier: Espalier, as?: string, workspace?: string): Promise<ImportHost> {
  const email = (ref: string) => actingUser(espalier, ref);
  const user = as === undefined || as === OPERATOR ? await boardOwner(espalier, workspace) : await email(as);
  return {
    actor: espalier.as(user.id),
    importer: espalier.operator,
    sessionOf: async (address) => espalier.as(await email(address)),
  };
}

async function boardOwner(espalier: Espalier, workspace: string | undefined): Promise<{ readonly id: string }> {
  const owner = workspace === undefined ? null : await workspaceOwner(espalier, workspace);
  if (owner === undefined) throw new Failure('denied', 'The workspace has no owner to own the board.');
  const boardOwner = owner ?? (await someAdministrator(espalier));
  if (boardOwner !== undefined) {
    if (workspace !== undefined && owner === null) await requireNoName(espalier, boardOwner.id, workspace);
    return boardOwner;
  }
  throw missing(
    workspace === undefined
      ? 'The store has no administrator to own the board.'
      : `There is no workspace ${JSON.stringify(workspace)}, and no administrator to own a new one.`,
    'The operator uses the alias or id of a workspace.',
    'To import as a user: --as EMAIL; to create one: espalier user create --name NAME --email EMAIL',
  );
}

/**
 * A name that is no alias yet would become the alias of a new workspace.
 *
 * @throws a usage failure if it is the name of a workspace that the user is not in
 */
async function requireNoName(espalier: Espalier, userId: string, ref: string): Promise<void> {
  if (workspaceNamed(await espalier.as(userId).workspaces.list(), ref) !== undefined) return;
  const named = await workspacesWhere(espalier, ({ name }) => fold(name) === fold(ref));
  if (named.length === 0) return;
  throw usage(
    `${JSON.stringify(ref)} is the name of a workspace, not its alias.`,
    'The operator uses the alias or id of a workspace:',
    ...named.map(({ alias, name }) => `${alias}  ${name}`),
  );
}
