import type { Board } from '../model/board.ts';
import type { Context } from '../ports/context.ts';
import { structureFindings } from '../doctor/structure.ts';
import { conflict, EspalierError, invalid } from '../kernel/errors.ts';
import type { Invitation } from '../model/invitation.ts';
import { memberFrom, type Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import type { Purge } from '../model/job.ts';
import { withQuotas } from '../write/quota-guard.ts';
import type { Transaction } from '../ports/store.ts';
import { assignmentOf } from '../task/assignment.ts';
import { endsBeforeStart } from '../task/dates.ts';
import type { Task } from '../model/task.ts';
import { read, write } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import type { Workspace } from '../model/workspace.ts';
import { noRecords, type TransferCount, type TransferRecord, type TransferredUser } from '../model/transfer-record.ts';

export interface ImportWorkspace {
  /** The records, in the order of an export. An error thrown by the iterator ends the import without effect. */
  readonly records: AsyncIterable<TransferRecord>;
}

export interface ImportedWorkspace {
  readonly workspace: Workspace;
  readonly count: TransferCount;
}

/** How long an import may pause before its chunks count as abandoned and are purged, in milliseconds. */
const LEASE = 60_000;
const CHUNK = 500;

/**
 * Imports an exported workspace with its ids. Its content is written in chunks that nobody can reach
 * until one last commit puts the tree in place; what an interrupted import has written is purged.
 * A user whose e-mail address exists here is mapped to the existing user. For the operator and service
 * administrators.
 *
 * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`
 * @throws `invalid-input` for records that do not make up a workspace
 */
export async function importWorkspace(context: Context, input: ImportWorkspace): Promise<ImportedWorkspace> {
  // Each chunk checks again; this early check makes sure that a caller who may not import learns nothing.
  await read(context, (tx) => requireAdministrator(tx, context));
  const parts = newParts();
  const count = noRecords();
  let lease: Purge | null = null;
  let chunk: Content[] = [];
  let taken: EspalierError | null = null;
  const flush = async (): Promise<void> => {
    const records = chunk;
    chunk = [];
    if (taken !== null) return;
    try {
      lease = await writeContent(context, parts, lease, records);
    } catch (error) {
      // A repeated call finds its own workspace; whether it is the same call is known only at the end of the records.
      if (context.once === undefined || !isTaken(error)) throw error;
      taken = error;
    }
  };
  try {
    for await (const transferred of input.records) {
      count[transferred.kind]++;
      requireComments(parts, transferred);
      if (isContent(transferred)) chunk.push(transferred);
      else keep(parts, transferred);
      if (chunk.length >= CHUNK) await flush();
    }
    requireComments(parts, null);
    await flush();
    const workspace = await putInPlace(context, parts, lease, taken);
    return { workspace, count };
  } catch (error) {
    if (lease !== null) await abandon(context, lease);
    throw error;
  }
}

function isTaken(error: unknown): error is EspalierError {
  return error instanceof EspalierError && (error.code === 'workspace-exists' || error.code === 'alias-taken');
}

interface Parts {
  /** The last task, and how many of its comments are still expected. */
  task: { readonly id: string; comments: number } | null;
  readonly boards: Map<string, Board>;
  workspace: Workspace | null;
  lastNum: number;
  readonly users: TransferredUser[];
  readonly members: Member[];
  readonly membersById: Map<string, Member>;
  readonly pages: Page[];
  readonly invitations: Invitation[];
}

function newParts(): Parts {
  return {
    task: null,
    boards: new Map(),
    workspace: null,
    lastNum: 0,
    users: [],
    members: [],
    membersById: new Map(),
    pages: [],
    invitations: [],
  };
}

type Content = Extract<TransferRecord, { kind: 'board' | 'task' | 'comment' }>;

function isContent(transferred: TransferRecord): transferred is Content {
  return transferred.kind === 'board' || transferred.kind === 'task' || transferred.kind === 'comment';
}

function keep(parts: Parts, transferred: Exclude<TransferRecord, Content>): void {
  if (transferred.kind === 'workspace') {
    if (parts.workspace !== null) throw invalid('', 'holds a second workspace');
    parts.workspace = transferred.record;
    parts.lastNum = transferred.lastNum;
  } else if (transferred.kind === 'user') parts.users.push(transferred.record);
  else if (transferred.kind === 'member') {
    const member = memberFrom(transferred.record);
    parts.members.push(member);
    parts.membersById.set(member.id, member);
  } else if (transferred.kind === 'page') parts.pages.push(transferred.record);
  else parts.invitations.push(transferred.record);
}

/** Writes boards, tasks and comments, and extends the lease after which they count as abandoned. */
async function writeContent(
  context: Context,
  parts: Parts,
  lease: Purge | null,
  records: readonly Content[],
): Promise<Purge> {
  const workspace = requireWorkspace(parts);
  const notBefore = new Date(context.clock.now() + LEASE).toISOString();
  const boards = parts.pages.filter((page) => page.type === 'board').map((page) => page.id);
  const id = lease?.id ?? context.ids.next();
  const next: Purge = { kind: 'purge', id, workspaceId: workspace.id, boards, notBefore };
  await context.store.write(async (tx) => {
    await requireAdministrator(tx, context);
    await requireFreePlace(tx, workspace, lease);
    if (lease === null) await tx.jobs.insert(next);
    else await tx.jobs.replace(next);
    const within = withQuotas(tx, context);
    for (const transferred of records) await writeOne(within, parts, workspace.id, transferred);
  });
  return next;
}

async function writeOne(tx: Transaction, parts: Parts, workspaceId: string, transferred: Content): Promise<void> {
  const { kind, record } = transferred;
  if (record.workspaceId !== workspaceId) throw invalid('', `holds a ${kind} of another workspace`);
  if (kind === 'board') {
    parts.boards.set(record.id, record);
    await tx.boards.insert(record);
  } else if (kind === 'task') {
    requireOnBoard(record, parts.boards.get(record.boardId));
    if (endsBeforeStart(record.dateStart, record.dateEnd)) {
      throw invalid('', `holds a task that ends before it starts: ${record.id}`);
    }
    await tx.tasks.insert({ ...record, assignees: assignmentsOf(parts, record.assignees) });
  } else await tx.comments.insert(record);
}

/** An export names the members themselves. */
function assignmentsOf({ membersById }: Parts, assignees: readonly string[]): string[] {
  return assignees.flatMap((id) => {
    const member = membersById.get(id);
    return member?.active === true ? assignmentOf(member) : [];
  });
}

/** Comments follow their task, exactly as many as its count says. */
function requireComments(parts: Parts, next: TransferRecord | null): void {
  if (next?.kind === 'comment') {
    if (next.record.taskId !== parts.task?.id || --parts.task.comments < 0) {
      throw invalid('', `holds a comment that does not follow its task: ${next.record.id}`);
    }
    return;
  }
  if (parts.task !== null && parts.task.comments > 0) throw invalid('', `lacks comments of a task: ${parts.task.id}`);
  parts.task = next?.kind === 'task' ? { id: next.record.id, comments: next.record.commentCount } : null;
}

function requireOnBoard(task: Task, board: Board | undefined): void {
  const fits =
    board?.statuses.some((status) => status.id === task.statusId) === true &&
    task.tags.every((id) => board.tags.some((tag) => tag.id === id));
  if (!fits) throw invalid('', `holds a task whose board, status or tags are not there: ${task.id}`);
}

async function putInPlace(
  context: Context,
  parts: Parts,
  lease: Purge | null,
  taken: EspalierError | null,
): Promise<Workspace> {
  const workspace = requireWorkspace(parts);
  return write(context, async (tx) => {
    // This is not a repeated call. The id may be free by now, but the content was not written.
    if (taken !== null) throw taken;
    await requireAdministrator(tx, context);
    await requireFreePlace(tx, workspace, lease);
    const userIds = await usersHere(tx, parts.users);
    const [first, ...members] = parts.members.map((member) => ({
      ...member,
      userId: userIds.get(member.userId) ?? member.userId,
    }));
    const users = [first, ...members].map((member) => member?.userId);
    if (new Set(users).size < users.length) throw invalid('', 'holds two members who are one user here');
    if (first === undefined) throw invalid('', 'holds a workspace without members');
    const structure = await tx.structures.insert(workspace, first);
    const [finding] = await structureFindings(
      tx,
      await tx.structures.change(structure, { members, pages: parts.pages }),
    );
    if (finding !== undefined) throw invalid('', `does not hold together: ${finding.id} ${finding.detail}`);
    for (const invitation of parts.invitations) await tx.invitations.insert(invitation);
    const given = await tx.tasks.lastNum(workspace.id);
    if (parts.lastNum > given) await tx.tasks.reserveNums(workspace.id, parts.lastNum - given);
    if (lease !== null) await tx.jobs.remove(lease);
    return workspace;
  });
}

/** The user here for each user id of the import. */
async function usersHere(tx: Transaction, users: readonly TransferredUser[]): Promise<ReadonlyMap<string, string>> {
  const here = new Map<string, string>();
  for (const user of users) {
    const known = (await tx.users.get(user.id)) ?? (await tx.users.by({ email: user.email }));
    here.set(user.id, known?.id ?? user.id);
    if (known === null) await tx.users.insert({ ...user, administrator: false, disabled: false });
  }
  return here;
}

async function requireFreePlace(tx: Transaction, workspace: Workspace, lease: Purge | null): Promise<void> {
  if ((await tx.structures.get(workspace.id)) !== null) {
    throw conflict('workspace-exists', 'The store has this workspace already.');
  }
  if ((await tx.workspaces.by({ alias: workspace.alias })) !== null) {
    throw conflict('alias-taken', 'Another workspace of the store has its alias.');
  }
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId: workspace.id }, { limit: 2 });
  if (jobs.some((job) => job.id !== lease?.id)) {
    throw conflict(
      'workspace-exists',
      'What was left of this workspace is still being removed: try again in a minute.',
    );
  }
}

function requireWorkspace(parts: Parts): Workspace {
  if (parts.workspace === null) throw invalid('', 'does not begin with a workspace');
  return parts.workspace;
}

/** Ends the lease, so that the purge removes what was written. */
async function abandon(context: Context, lease: Purge): Promise<void> {
  await context.store.write((tx) => tx.jobs.replace({ ...lease, notBefore: null }));
  if (context.effects !== undefined) context.effects.jobs = true;
}
