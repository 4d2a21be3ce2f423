import {
  archivedLists,
  isArchived,
  trelloDraft,
  trelloUsers,
  type ImportNote,
  type TrelloBoard,
  type TrelloCard,
  type TrelloDraft,
} from '../../adapters/formats/trello/index.ts';
import type { ImportCount, ImportReport } from '../../core/import/imported-board.ts';
import { VIEW } from '../../core/model/access/level.ts';
import { baseLevel } from '../../core/model/access/role.ts';
import { foldEmail } from '../../core/model/user/user.ts';
import type { Session } from '../../core/session.ts';
import type { WorkspaceView } from '../../core/workspace/workspaces.ts';
import { Failure, missing, usage } from '../io/failure.ts';
import type { ImportHost } from './host.ts';
import { workspaceFor } from './target-workspace.ts';

export interface TrelloOptions {
  readonly workspace?: string | undefined;
  /** E-mail addresses by Trello username. */
  readonly map: ReadonlyMap<string, string>;
  readonly includeArchived: boolean;
  /** Cancels the import before its transaction. */
  readonly stop?: AbortSignal;
}

/** The counts and notes of an import. */
export interface TrelloResult {
  readonly board: { readonly id: string | null; readonly name: string };
  readonly workspace: Pick<WorkspaceView, 'id' | 'name' | 'alias'> & { readonly isNew: boolean };
  readonly inFile: ImportCount;
  readonly created: ImportCount;
  readonly existing: ImportCount;
  /** E-mail addresses of mapped people who became members. */
  readonly joined: readonly string[];
  readonly notes: readonly ImportNote[];
}

/** All or nothing: if the import fails, a workspace created for it is deleted. */
export async function importTrello(
  host: ImportHost,
  board: TrelloBoard,
  options: TrelloOptions,
): Promise<TrelloResult> {
  const { map, includeArchived } = options;
  const people = await mappedUsers(host, board, map);
  const name = trelloDraft(board, { workspaceId: '', memberId: '', includeArchived }).input.name;
  const { workspace: named, stop } = options;
  const { workspace, isNew } = await workspaceFor(host.actor, { externalId: board.id, name }, named, stop);
  try {
    const { members, joined } = await membersFor(host, workspace, people);
    const assignable = await assignableOn(host.actor, workspace, board.id);
    const draft = trelloDraft(board, {
      workspaceId: workspace.id,
      memberId: workspace.memberId,
      members,
      assignable,
      includeArchived,
    });
    if (stop?.aborted === true) throw new Failure('interrupted', 'Interrupted: nothing was imported.');
    const report = await host.importer.imports.board(draft.input);
    const { id, alias } = workspace;
    return result(board, draft, report, { id, alias, name: workspace.name, isNew }, joined);
  } catch (error) {
    if (isNew) await host.actor.workspaces.delete({ workspaceId: workspace.id });
    throw error;
  }
}

/**
 * The result of an import, computed without a store. @throws a usage failure for somebody in `--map` who is not on the
 * board
 */
export function dryRunTrello(board: TrelloBoard, { map, includeArchived, workspace }: TrelloOptions): TrelloResult {
  expectOnBoard(board, map);
  const draft = trelloDraft(board, { workspaceId: '', memberId: '', members: map, includeArchived });
  const { statuses, tags, tasks } = draft.input;
  const created = {
    boards: 1,
    statuses: statuses.length,
    tags: tags.length,
    tasks: tasks.length,
    trashed: tasks.filter(({ archived }) => archived).length,
    checklistItems: tasks.reduce((sum, task) => sum + (task.checklist ?? []).length, 0),
    comments: tasks.reduce((sum, task) => sum + (task.comments ?? []).length, 0),
  };
  const none = { boards: 0, statuses: 0, tags: 0, tasks: 0, trashed: 0, checklistItems: 0, comments: 0 };
  const place = { id: '', alias: workspace ?? '', name: draft.input.name, isNew: false };
  return {
    ...result(board, draft, { boardId: '', created, existing: none }, place, []),
    board: { id: null, name: draft.input.name },
  };
}

function result(
  board: TrelloBoard,
  draft: TrelloDraft,
  report: ImportReport,
  workspace: TrelloResult['workspace'],
  joined: readonly string[],
): TrelloResult {
  const count = (items: readonly { readonly id: string }[] | undefined) =>
    new Set((items ?? []).map((item) => item.id)).size;
  const archived = archivedLists(board);
  const comments = (board.actions ?? []).filter((action) => action.type === 'commentCard');
  return {
    board: { id: report.boardId, name: draft.input.name },
    workspace,
    inFile: {
      boards: 1,
      statuses: count(board.lists),
      tags: count(board.labels),
      tasks: count(board.cards),
      trashed: count((board.cards as readonly TrelloCard[]).filter((card) => isArchived(card, archived))),
      checklistItems: (board.checklists ?? []).reduce((sum, list) => sum + (list.checkItems ?? []).length, 0),
      comments: count(comments),
    },
    created: report.created,
    existing: report.existing,
    joined,
    notes: draft.notes,
  };
}

interface Mapped {
  readonly username: string;
  readonly email: string;
  /** The session of the user, to join with if they are not a member yet. */
  readonly session: Session | null;
}

/** @throws a usage failure for somebody who is not on the board */
function expectOnBoard(board: TrelloBoard, map: ReadonlyMap<string, string>): void {
  const named = new Set([...trelloUsers(board).values()].map((user) => user.username.toLowerCase()));
  const unknown = [...map.keys()].filter((username) => !named.has(username));
  if (unknown.length > 0) {
    throw usage(
      `--map names ${unknown.join(', ')}, not found on the board.`,
      `People on it: ${[...named].join(', ') || 'none'}.`,
    );
  }
}

/** Finds all mapped people before anything is written. */
async function mappedUsers(
  { sessionOf }: ImportHost,
  board: TrelloBoard,
  map: ReadonlyMap<string, string>,
): Promise<readonly Mapped[]> {
  expectOnBoard(board, map);
  return Promise.all(
    [...map].map(async ([username, email]) => ({
      username,
      email,
      session: sessionOf === null ? null : await sessionOf(email),
    })),
  );
}

async function membersFor({ actor }: ImportHost, { id: workspaceId }: WorkspaceView, people: readonly Mapped[]) {
  const known = await actor.members.list({ workspaceId });
  const byEmail = new Map(known.map((member) => [member.email, member.id]));
  const members = new Map<string, string>();
  const joined: string[] = [];
  for (const { username, email, session } of people) {
    const folded = foldEmail(email);
    let memberId = byEmail.get(folded);
    if (memberId === undefined) {
      if (session === null) {
        throw missing(`${email} is not a member of the workspace.`, 'Invite them first, or leave them out of --map.');
      }
      const invitation = await actor.invitations.create({ workspaceId, email });
      memberId = (await session.invitations.join({ invitationId: invitation.id })).id;
      byEmail.set(folded, memberId);
      joined.push(email);
    }
    members.set(username, memberId);
  }
  return { members, joined };
}

/** The members who may be assigned to tasks of the board, which may not exist yet. */
async function assignableOn(
  actor: Session,
  workspace: WorkspaceView,
  externalId: string,
): Promise<ReadonlySet<string>> {
  const workspaceId = workspace.id;
  const board = (await actor.boards.list({ workspaceId })).find((one) => one.externalId === externalId);
  if (board !== undefined) {
    const entries = await actor.access.members({ workspaceId, pageId: board.id });
    return new Set(entries.filter((entry) => entry.access >= VIEW).map((entry) => entry.memberId));
  }
  const members = await actor.members.list({ workspaceId });
  const { defaultAccess } = workspace;
  return new Set(members.filter(({ role }) => baseLevel(role, defaultAccess) >= VIEW).map(({ id }) => id));
}
