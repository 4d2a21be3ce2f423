import { requireAdministrator } from '../access/identify.ts';
import { viewerAfter, type Viewer } from '../access/viewer.ts';
import { conflict, EspalierError, found } from '../kernel/errors.ts';
import { makeDue } from '../jobs/enqueue-job.ts';
import type { Purge } from '../model/job.ts';
import type { Page } from '../model/workspace/page.ts';
import { insertPage } from '../page/create.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { changeStructure } from '../tree/build.ts';
import { hasStoredAnswer } from '../write/idempotency/idempotency.ts';
import { Journal, originOf } from '../write/journal/journal.ts';
import { withQuotas } from '../write/quota/quota-guard.ts';
import { read, write } from '../write/transaction.ts';
import {
  add,
  importComments,
  boardFor,
  newCounts,
  importOwner,
  statusIdsOf,
  taskFor,
  trashArchived,
  type ImportCounts,
} from './board-records.ts';
import type { ImportBoard, ImportedComment, ImportedTask, ImportReport } from './imported-board.ts';

/** The most records written by one transaction; a task comes with its checklist. */
const CHUNK = 100;
/**
 * The lease of an import on its new board, in milliseconds: when it ends without renewal, the board counts as
 * abandoned.
 */
const LEASE = 60_000;

interface ImportTarget {
  readonly boardId: string;
  /** The page of a new board, inserted last: until then the board is unreachable. Null if the board existed before. */
  readonly page: Page | null;
}

/** A task with its first comments, or further comments of a task. */
interface ImportPart {
  readonly draft: ImportedTask;
  readonly comments: readonly ImportedComment[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Imports a board of many tasks in small transactions. See `importBoard`. */
export async function importInSteps(context: Context, input: ImportBoard): Promise<ImportReport> {
  const answered = await read(context, async (tx) => {
    await requireAdministrator(tx, context);
    return hasStoredAnswer(tx, context);
  });
  // The call was completed before: replay its stored answer.
  if (answered) return write(context, (tx) => confirm(tx, context, input));
  const counts = newCounts();
  const target = await begin(context, input, counts);
  try {
    /** Drafts of which the task was made by this import. */
    const made = new Set<ImportedTask>();
    for (const parts of chunks(input.tasks)) await addParts(context, input, target, parts, made, counts);
    return await write(context, async (tx) => {
      const owner = await confirm(tx, context, input).then(() => importOwner(tx, input));
      if (target.page !== null) await publishBoard(tx, owner, input, target.page, counts);
      return { boardId: target.boardId, created: counts.created, existing: counts.existing };
    });
  } catch (error) {
    // If this fails too, the lease ends by itself.
    if (target.page !== null) {
      const lease = { workspaceId: input.workspaceId, id: target.boardId };
      await context.store.write((tx) => makeDue(tx, context, lease)).catch(() => undefined);
    }
    throw error;
  }
}

/** Creates the board, unreachable, or adds missing statuses and tags to the existing one. */
function begin(context: Context, input: ImportBoard, counts: ImportCounts): Promise<ImportTarget> {
  return step(context, counts, async (tx, counted) => {
    const viewer = await importOwner(tx, input);
    let page: Page | null = null;
    const { id: boardId } = await boardFor({ tx, context, viewer, counts: counted }, input, async (made) => {
      page = made;
      await tx.jobs.insert(leaseOf(context, input, made.id));
    });
    return { boardId, page };
  });
}

/** @param made the drafts whose tasks earlier steps have created: this step adds its own */
async function addParts(
  context: Context,
  input: ImportBoard,
  { boardId, page }: ImportTarget,
  parts: readonly ImportPart[],
  made: Set<ImportedTask>,
  counts: ImportCounts,
): Promise<void> {
  const added = await step(context, counts, async (tx, counted) => {
    const created = new Set<ImportedTask>();
    const owner = await importOwner(tx, input);
    if (page !== null) {
      await requireLease(tx, input, boardId);
      await tx.jobs.replace(leaseOf(context, input, boardId));
    }
    // The structure as it will be with the page inserted.
    const viewer = page === null ? owner : viewerAfter(owner, changeStructure(owner.structure, { pages: [page] }));
    const board = found(await tx.boards.get(input.workspaceId, boardId));
    const statusIds = statusIdsOf(board);
    const importing = { tx, context, viewer, counts: counted };
    for (const { draft, comments, isFirst, isLast } of parts) {
      const counting = isFirst ? importing : { ...importing, counts: newCounts() };
      const known = await taskFor(counting, board, statusIds, draft);
      if (known === null) continue;
      if (isFirst && known.isNew) created.add(draft);
      const task = await importComments(importing, known.task, comments);
      if (isLast && draft.archived === true && (made.has(draft) || created.has(draft))) {
        await trashArchived(importing, task);
      }
    }
    return created;
  });
  for (const draft of added) made.add(draft);
}

/** Runs one journaled transaction of the import, and adds its counts after the commit. */
async function step<T>(
  context: Context,
  counts: ImportCounts,
  work: (tx: Transaction, counted: ImportCounts) => Promise<T>,
): Promise<T> {
  const { result, counted } = await context.store.write(async (tx) => {
    await requireAdministrator(tx, context);
    const journal = new Journal();
    const stepCounts = newCounts();
    const done = await work(journal.on(withQuotas(tx, context)), stepCounts);
    await journal.guard(tx, context, originOf(context));
    await journal.append(tx, context, originOf(context));
    return { result: done, counted: stepCounts };
  });
  add(counts, counted);
  await context.yieldToEventLoop?.();
  return result;
}

async function publishBoard(
  tx: Transaction,
  owner: Viewer,
  input: ImportBoard,
  page: Page,
  counts: ImportCounts,
): Promise<void> {
  const { workspaceId, externalId } = input;
  const lease = await requireLease(tx, input, page.id);
  const board = await tx.boards.get(workspaceId, page.id);
  const tasks = await tx.tasks.count({ workspaceId, scope: null, filters: [{ field: 'boardId', in: [page.id] }] });
  if (board?.externalId !== externalId || tasks !== counts.created.tasks - counts.created.trashed) {
    throw conflict(
      'external-id-taken',
      'Another record has taken an externalId of the board since the import began: try again.',
    );
  }
  await insertPage(tx, owner, page);
  await tx.jobs.remove(lease);
}

/** @throws `store-busy` if the lease has ended and the board was abandoned */
async function requireLease(tx: Transaction, { workspaceId }: ImportBoard, boardId: string): Promise<Purge> {
  const lease = await tx.jobs.get(workspaceId, boardId);
  if (lease?.kind === 'purge' && lease.lease === undefined) return lease;
  throw new EspalierError('store-busy', 'The import paused for too long and was cancelled: try again.');
}

/** The lease of an import: a purge of the board that is due when the lease ends. Its id is that of the board. */
function leaseOf(context: Context, { workspaceId }: ImportBoard, boardId: string): Purge {
  const notBefore = new Date(context.clock.now() + LEASE).toISOString();
  return { kind: 'purge', id: boardId, workspaceId, boards: [boardId], notBefore };
}

/** Checks that the caller may still import. The report is a placeholder: only its transaction is used. */
async function confirm(tx: Transaction, context: Context, input: ImportBoard): Promise<ImportReport> {
  await requireAdministrator(tx, context);
  await importOwner(tx, input);
  return { boardId: '', ...newCounts() };
}

function* chunks(tasks: readonly ImportedTask[]): IterableIterator<readonly ImportPart[]> {
  let chunk: ImportPart[] = [];
  let room = CHUNK;
  for (const draft of tasks) {
    const { checklist = [], comments = [] } = draft;
    room -= checklist.length;
    let taken = 0;
    do {
      const some = comments.slice(taken, taken + Math.max(1, room - 1));
      chunk.push({ draft, comments: some, isFirst: taken === 0, isLast: taken + some.length === comments.length });
      taken += some.length;
      room -= 1 + some.length;
      if (room > 0) continue;
      yield chunk;
      chunk = [];
      room = CHUNK;
    } while (taken < comments.length);
  }
  if (chunk.length > 0) yield chunk;
}
