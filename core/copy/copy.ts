import type { WorkspaceAddress } from '../model/address.ts';
import { viewerOf, type Viewer } from '../access/viewer.ts';
import { boardAt } from '../board/edit.ts';
import { getBoard } from '../board/boards.ts';
import type { BoardView } from '../board/view.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { jobsOf } from '../jobs/jobs-of.ts';
import { conflict, EspalierError } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import { inSteps } from '../kernel/stepwise.ts';
import type { Copy, JobAddress } from '../model/job.ts';
import { VIEW } from '../model/access/level.ts';
import { quotaExceeded } from '../model/service/quotas.ts';
import { requireParent } from '../page/place.ts';
import { getPage, seenPage } from '../page/read.ts';
import type { PageView } from '../page/view.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { originOf } from '../write/journal/journal.ts';
import { quotasOf } from '../write/quota/quota-guard.ts';
import { storedAnswerKey } from '../write/idempotency/idempotency.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { idOfCopy } from './copy-state.ts';
import { ownPagesElsewhere, restrictedAmong, seenBelow } from './seen-below.ts';

interface CopyOptions extends WorkspaceAddress {
  /** 1-500 characters, trimmed. Default: the name of the source. */
  readonly name?: string;
  /** The parent page of the copy. Null or absent: at the top. */
  readonly parentId?: string | null;
  /** Whether to copy the tasks with their checklists and pages. Default false. */
  readonly tasks?: boolean;
  /** Whether to copy the comments on the tasks. Default false. */
  readonly comments?: boolean;
  /** Whether to keep the assignees who may see the copy. Default false. */
  readonly assignees?: boolean;
}

/** What `boards.copy` takes. */
export interface CopyBoard extends CopyOptions {
  /** The board. */
  readonly boardId: string;
}

/** What `pages.copy` takes. */
export interface CopyPage extends CopyOptions {
  /** The page. */
  readonly pageId: string;
}

interface CopyResult {
  /** The id of the copy. */
  readonly id: string;
  /**
   * The number of pages, including pages elsewhere of copied tasks, with settings or entries of their own. These are
   * not copied.
   */
  readonly restricted: number;
}

/** What `boards.copy` answers. */
export interface BoardCopy extends CopyResult {
  /** The copy. Null while it is being created. */
  readonly board: BoardView | null;
}

/** What `pages.copy` answers. */
export interface PageCopy extends CopyResult {
  /** The copy. Null while it is being created. */
  readonly page: PageView | null;
}

/** How long a call waits for the copy, in milliseconds. */
const WAIT = 2_000;

/**
 * Copies a board with everything below its page that the caller sees.
 *
 * @throws `copy-failed`, `too-many`, `unusable-reference`
 */
export async function copyBoard(context: Context, input: CopyBoard): Promise<BoardCopy> {
  const { workspaceId, boardId } = input;
  const begun = await begin(context, input, boardId, async (tx) => void (await boardAt(tx, context, input, VIEW)));
  const board = await copyOf(context, begun, (reading) => getBoard(reading, { workspaceId, boardId: begun.id }));
  return { id: begun.id, restricted: begun.restricted, board };
}

/**
 * Copies a page with everything below it that the caller sees.
 *
 * @throws `copy-failed`, `too-many`, `unusable-reference`
 */
export async function copyPage(context: Context, input: CopyPage): Promise<PageCopy> {
  const { workspaceId, pageId } = input;
  const begun = await begin(context, input, pageId, () => Promise.resolve());
  const page = await copyOf(context, begun, (reading) => getPage(reading, { workspaceId, pageId: begun.id }));
  return { id: begun.id, restricted: begun.restricted, page };
}

interface RunningCopy extends CopyResult {
  readonly job: JobAddress;
}

/** A copy that this call has begun, or an earlier one with its idempotency key. */
interface RequestedCopy extends RunningCopy {
  readonly isReplay: boolean;
}

/** Purges never begin then. */
const NEVER = '9999-12-31T23:59:59.999Z';

async function begin(
  context: Context,
  input: CopyOptions,
  sourceId: string,
  check: (tx: Transaction) => Promise<void>,
): Promise<RequestedCopy> {
  const { workspaceId, parentId = null, tasks = false, comments = false, assignees = false } = input;
  let isReplay = false;
  const { idempotencyKey } = context;
  const noted =
    idempotencyKey === undefined
      ? context
      : { ...context, idempotencyKey: { ...idempotencyKey, onReplay: () => void (isReplay = true) } };
  const answer = withNamedRecords(noted, (_: RunningCopy) => ({ workspaceId, records: [sourceId, parentId] }));
  const begun = await write(answer, async (tx): Promise<RunningCopy> => {
    const viewer = await viewerOf(tx, context, workspaceId);
    await check(tx);
    const source = seenPage(viewer, sourceId, VIEW);
    requireParent(viewer, parentId);
    await requireRoomForCopy(tx, context, viewer);
    const pages = await inSteps(seenBelow(viewer, sourceId, tasks), viewer.yielder);
    const boards = pages.filter(({ type }) => type === 'board').map(({ id }) => id);
    const [id, rootId, purgeId] = [context.ids.next(), context.ids.next(), context.ids.next()];
    const answerKey = await storedAnswerKey(tx, context);
    const job: Copy = {
      kind: 'copy',
      id,
      workspaceId,
      notBefore: null,
      origin: originOf(context),
      sourceId,
      rootId,
      name: input.name?.trim() ?? source.name,
      parentId,
      tasks,
      comments: tasks && comments,
      assignees: tasks && assignees,
      purgeId,
      boards,
      at: null,
      begunAt: timestamp(context),
      ...(answerKey !== null && { answerKey }),
    };
    const apart = tasks ? await inSteps(ownPagesElsewhere(viewer, pages), viewer.yielder) : [];
    const restricted = restrictedAmong(viewer, [...pages, ...apart]);
    const staged = boards.map((one) => idOfCopy(job, one));
    await enqueueJob(tx, context, job);
    if (staged.length > 0) {
      await tx.jobs.insert({ kind: 'purge', id: purgeId, workspaceId, boards: staged, notBefore: NEVER });
    }
    return { id: rootId, job: { workspaceId, id }, restricted };
  });
  return { ...begun, isReplay };
}

/**
 * The copy as it is by now; null while it is being made.
 *
 * @throws `replay-hidden` if an earlier call has made it, and the caller does not see it any more
 */
async function copyOf<T>(
  context: Context,
  begun: RequestedCopy,
  read: (reading: Context) => Promise<T>,
): Promise<T | null> {
  const copy = (await isDone(context, begun)) ? await read(readContext(context)).catch(asReplay(begun)) : null;
  if (begun.isReplay) context.idempotencyKey?.onReplay?.();
  return copy;
}

function asReplay({ isReplay }: RequestedCopy): (error: unknown) => never {
  return (error) => {
    const isHidden = isReplay && error instanceof EspalierError && error.code === 'not-found';
    throw isHidden ? conflict('replay-hidden', 'The copy was created. You no longer see it.') : error;
  };
}

/** @throws `quota-exceeded` if too many copies of the member are unfinished */
async function requireRoomForCopy(tx: Transaction, context: Context, { structure, user }: Viewer): Promise<void> {
  const { copies } = await quotasOf(tx, context);
  if (copies === undefined) return;
  const jobs = await jobsOf(tx, structure.workspace.id);
  const unfinished = jobs.filter((job) => job.kind === 'copy' && job.origin.userId === user.id).length;
  if (unfinished >= copies) throw quotaExceeded('copies', copies);
}

/** Makes the copy. False: it takes longer than a call waits, or waits for room, and goes on in the background. */
async function isDone({ timers, jobs }: Context, { job }: RunningCopy): Promise<boolean> {
  const finished = jobs.finish(job).catch((error: unknown) => {
    // Any process goes on with it later.
    if (error instanceof EspalierError && error.code.startsWith('store-')) return false;
    throw error;
  });
  if (timers === undefined) return finished;
  let cancel: (() => void) | undefined;
  const timeIsUp = new Promise<false>((resolve) => (cancel = timers.after(WAIT, () => resolve(false))));
  try {
    return await Promise.race([finished, timeIsUp]);
  } finally {
    cancel?.();
    jobs.moveToBackground(job);
  }
}

/** For reading what was written: without what belongs to the write alone. */
function readContext(context: Context): Context {
  return { ...context, ifVersion: undefined, onCursor: undefined };
}
