import type { WorkspaceAddress } from '../model/address.ts';
import { OWNER } from '../model/access/role.ts';
import { governingPageId, requireRole, viewerIn, viewerOf } from '../access/viewer.ts';
import { cursorText } from '../changes/cursor.ts';
import { taken, withReader } from '../changes/snapshot/reader-error.ts';
import { CHECKED_EVERY } from '../changes/snapshot/present-access.ts';
import { TimeLimit } from '../changes/snapshot/time-limit.ts';
import type { Context } from '../ports/context.ts';
import { EspalierError, found } from '../kernel/errors.ts';
import { inSteps, sortedStepwise, mapItems } from '../kernel/stepwise.ts';
import { readSlices, slicesOf } from '../kernel/slices.ts';
import { membersById } from '../access/members-access.ts';
import { treeOrder } from '../tree/order.ts';
import { yielderOf, type Yielder } from '../ports/yielder.ts';
import { isRevokedWithIssuer } from '../invitation/view.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import type { Board } from '../model/content/board.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { linkedIds, linksOf, withLinks, withoutLink } from '../model/content/task-links.ts';
import { inDeclaredOrder } from '../model/content/record-field.ts';
import { type Task, TASK_FIELDS } from '../model/content/task.ts';
import { assigneeIdOf, assigneesOf } from '../task/assignment.ts';
import { withContents } from '../task/contents.ts';
import { storedTaskSlices } from '../task/stored-tasks.ts';
import { read } from '../write/transaction.ts';
import { identify } from '../access/identify.ts';
import { noRecords, type TransferCount, type TransferRecord } from '../model/transfer-record.ts';

/** What `exports.workspace` takes. */
export interface ExportWorkspace extends WorkspaceAddress {
  /** Receives the records one by one; the export awaits each call. */
  readonly sink: (record: TransferRecord) => Promise<void> | void;
}

/** In seconds. Meanwhile a file keeps what other writes replace. */
const TIME_LIMIT = 3_600;

/**
 * Exports a whole workspace from one snapshot, without tokens and pending invitations. For its owners and the operator.
 * For owners it stops after an hour, and when they can no longer sign in or are no longer owners.
 *
 * @throws `snapshot-incomplete` after an hour
 * @throws `store-unavailable` if the store must restart the read after the first record
 */
export async function exportWorkspace(
  context: Context,
  { workspaceId, sink }: ExportWorkspace,
): Promise<TransferCount> {
  const limit = context.caller.kind === 'operator' ? null : new TimeLimit(context, 'An export', TIME_LIMIT);
  let isBegun = false;
  try {
    const reading = read(context, async (tx) => {
      // A store that restarts its work, as after an election, has passed on a part already.
      if (isBegun) throw new EspalierError('store-unavailable', 'The store had to restart the read: export again.');
      const [who, structure] = await Promise.all([identify(tx, context), tx.structures.get(workspaceId)]);
      if (who.user !== null) requireRole(viewerIn(structure, who), OWNER);
      if (context.onCursor !== undefined) {
        const head = await tx.changeLog.head(workspaceId);
        context.onCursor(cursorText(head, { offset: head.last, revision: found(structure).revision }));
      }
      const count = noRecords();
      const yielder = yielderOf(context);
      const owner = limit === null ? null : new PresentOwner(context, workspaceId);
      for await (const record of recordsOf(tx, found(structure), yielder)) {
        isBegun = true;
        count[record.kind]++;
        await owner?.require();
        await taken(() => (limit === null ? sink(record) : limit.give(() => sink(record))));
        // A sink that never waits would not let other work run.
        const pause = yielder.step();
        if (pause !== null) await pause;
      }
      return count;
    });
    return await withReader(reading);
  } finally {
    limit?.stop();
  }
}

/** Looks from time to time whether the caller still is an owner. */
class PresentOwner {
  readonly #context: Context;
  readonly #workspaceId: string;
  #checkedAt: number;

  constructor(context: Context, workspaceId: string) {
    this.#context = { ...context, onCursor: undefined };
    this.#workspaceId = workspaceId;
    this.#checkedAt = context.clock.now();
  }

  /** @throws `unauthenticated`, `not-found`, `forbidden` if they are not */
  async require(): Promise<void> {
    const now = this.#context.clock.now();
    if (now - this.#checkedAt < CHECKED_EVERY) return;
    this.#checkedAt = now;
    const viewer = await this.#context.store.read((tx) => viewerOf(tx, this.#context, this.#workspaceId));
    requireRole(viewer, OWNER);
  }
}

async function* recordsOf(
  tx: ReadTransaction,
  structure: Structure,
  yielder: Yielder,
): AsyncIterableIterator<TransferRecord> {
  const { workspace } = structure;
  // First: a store begins anew where it has to load the structure as a whole, which it may not once a record is passed on.
  const members = await inSteps(
    membersById(structure, () => true),
    yielder,
  );
  const userIds = await mapItems(members, yielder, ({ userId }) => userId);
  yield { kind: 'workspace', record: workspace, lastNum: await tx.tasks.lastNum(workspace.id) };
  const users = [...(await tx.users.many(userIds)).values()];
  for (const { administrator: _, disabled: __, ...user } of await inSteps(sortedStepwise(users, byId), yielder)) {
    yield { kind: 'user', record: user };
  }
  for (const member of members) yield { kind: 'member', record: member };
  const { pages } = await inSteps(treeOrder(structure), yielder);
  for (const page of pages) yield { kind: 'page', record: page };
  yield* invitationsOf(tx, structure);
  for (const page of pages) {
    if (page.type === 'board')
      yield { kind: 'board', record: withoutRemovals(found(await tx.boards.get(workspace.id, page.id))) };
  }
  yield* tasksOf(tx, structure, yielder);
}

const CHUNK = 500;

/** Invitations that are not pending. One revoked by the end of its issuer's membership may be stored as pending. */
async function* invitationsOf(tx: ReadTransaction, structure: Structure): AsyncIterableIterator<TransferRecord> {
  const { id: workspaceId } = structure.workspace;
  const slices = readSlices<Invitation>(CHUNK, (part) => tx.invitations.list('ofWorkspace', { workspaceId }, part));
  for await (const some of slices) {
    for (const invitation of some) {
      const record = invitation.status === 'pending' ? ended(invitation, structure) : invitation;
      if (record !== null) yield { kind: 'invitation', record };
    }
  }
}

function ended(invitation: Invitation, structure: Structure): Invitation | null {
  return isRevokedWithIssuer(invitation, structure) ? { ...invitation, status: 'revoked' } : null;
}

async function* tasksOf(
  tx: ReadTransaction,
  structure: Structure,
  yielder: Yielder,
): AsyncIterableIterator<TransferRecord> {
  for await (const tasks of storedTaskSlices(tx, structure.workspace.id)) {
    // Others are unreachable: they wait to be purged.
    const reachable = tasks.filter((task) => governingPageId(structure, task) !== null);
    const linked = await linkedAndReachable(tx, structure, reachable, yielder);
    for await (const { task, items, comments } of withContents(tx, reachable)) {
      const record = { ...task, assignees: assigneesOf(structure, task.assignees) };
      // Stores keep them in different ones.
      yield { kind: 'task', record: inDeclaredOrder(TASK_FIELDS, withLinksTo(linked, record)) };
      for (const item of items) {
        yield { kind: 'checklistItem', record: { ...item, assigneeId: assigneeIdOf(structure, item.assigneeId) } };
      }
      for await (const comment of comments) yield { kind: 'comment', record: comment };
    }
  }
}

/** Tasks whose links are followed together, and linked tasks that are read together. */
const TASKS_TOGETHER = 50;
const LINKED_TOGETHER = 200;

/** The tasks that these link to and that are exported: what is in the trash is not. O(links), in slices. */
async function linkedAndReachable(
  tx: ReadTransaction,
  structure: Structure,
  tasks: readonly Task[],
  yielder: Yielder,
): Promise<ReadonlySet<string>> {
  const { id: workspaceId } = structure.workspace;
  const reachable = new Set<string>();
  for (const some of slicesOf(tasks, TASKS_TOGETHER)) {
    const linked = new Set(some.flatMap(linkedIds));
    for (const ids of slicesOf([...linked], LINKED_TOGETHER)) {
      for (const task of await Promise.all(ids.map((id) => tx.tasks.get(workspaceId, id)))) {
        if (task !== null && governingPageId(structure, task) !== null) reachable.add(task.id);
      }
      const pause = yielder.step(ids.length);
      if (pause !== null) await pause;
    }
  }
  return reachable;
}

function withLinksTo(ids: ReadonlySet<string>, task: Task): Task {
  let { links } = task;
  if (links === undefined) return task;
  for (const [end, id] of linksOf(task)) if (!ids.has(id)) links = withoutLink(links, end, id);
  return withLinks(task, links);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** Statuses and tags in removal are exported as normal ones, with the tasks that they still have. */
function withoutRemovals(board: Board): Board {
  const statuses = board.statuses.map(({ removal: _, ...status }) => status);
  return { ...board, statuses, tags: board.tags.map(({ removal: _, ...tag }) => tag) };
}
