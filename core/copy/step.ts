import { viewerIn } from '../access/viewer.ts';
import { makeDue } from '../jobs/enqueue-job.ts';
import { jobsOf } from '../jobs/jobs-of.ts';
import type { StepPorts } from '../jobs/step.ts';
import { EspalierError } from '../kernel/errors.ts';
import { inSteps } from '../kernel/stepwise.ts';
import type { Copy } from '../model/job.ts';
import { SiblingsCrowded } from '../page/place-among.ts';
import { requireParent } from '../page/place.ts';
import { enqueueSiblingRespread } from '../page/respread-siblings.ts';
import type { Transaction } from '../ports/store.ts';
import { yielderOf } from '../ports/yielder.ts';
import { forgetAnswer } from '../write/idempotency/idempotency.ts';
import { withQuotas } from '../write/quota/quota-guard.ts';
import { copyOfBoard } from './board.ts';
import type { CopyState } from './copy-state.ts';
import { publish } from './publish.ts';
import { seenBelow } from './seen-below.ts';

/** How long a copy waits for room at its place, in milliseconds. */
const WAIT_FOR_ROOM = 1_000;
/** How long the failure of a copy can be read, in milliseconds. */
const FAILURE_KEPT = 24 * 3_600_000;
/** The most failures of copies that a workspace keeps. */
const MAX_FAILURES = 100;

/**
 * Copies a part of a board, out of reach, or puts the pages in place. Each step decides anew what the member sees. A
 * copy that may not go on, or exceeds a quota, is abandoned: what it has staged is purged.
 */
export async function copyStep(tx: Transaction, job: Copy, ports: StepPorts): Promise<Copy | null> {
  try {
    const state = await copyingNow(withQuotas(tx, ports), job, ports);
    const [boardId] = job.boards;
    if (boardId !== undefined) return await copyOfBoard(state, boardId);
    await publish(state);
  } catch (error) {
    if (error instanceof SiblingsCrowded) {
      // Continues after there is room again.
      await enqueueSiblingRespread(tx, ports, error.place);
      return { ...job, notBefore: new Date(ports.clock.now() + WAIT_FOR_ROOM).toISOString() };
    }
    if (!(error instanceof EspalierError) || error.code.startsWith('store-')) throw error;
    await giveUpCopy(tx, job, ports);
  }
  return null;
}

/** @throws `not-found`, `forbidden`, `unusable-reference`, `too-many` if the copy may not go on */
async function copyingNow(tx: Transaction, job: Copy, ports: StepPorts): Promise<CopyState> {
  const { workspaceId, origin, sourceId, parentId } = job;
  const user = origin.userId === null ? null : await tx.users.get(origin.userId);
  const structure = await tx.structures.get(workspaceId);
  const viewer = viewerIn(structure, { user, token: null }, yielderOf(ports));
  const pages = await inSteps(seenBelow(viewer, sourceId, job.tasks), viewer.yielder);
  requireParent(viewer, parentId);
  return { tx, ports, job, viewer, pages };
}

/**
 * Purges what a copy has staged, frees the idempotency key of its call, and stores its failure for its maker for a day,
 * unless many more of theirs fail. The job itself is left to the caller.
 *
 * @param detail what a guard of the host said
 */
export async function giveUpCopy(tx: Transaction, job: Copy, ports: StepPorts, detail?: string): Promise<void> {
  const { workspaceId, rootId: id, purgeId, origin, answerKey } = job;
  await makeDue(tx, {}, { workspaceId, id: purgeId });
  if (answerKey !== undefined) await forgetAnswer(tx, answerKey);
  // A workspace that is gone has no events.
  if ((await tx.structures.get(workspaceId)) === null) return;
  await makeRoomForFailure(tx, job);
  const notBefore = new Date(ports.clock.now() + FAILURE_KEPT).toISOString();
  const reason = detail === undefined ? {} : { detail };
  await tx.jobs.insert({ kind: 'copy-failed', id, workspaceId, notBefore, userId: origin.userId, ...reason });
}

/** Removes a failure if there are as many as are stored: the oldest of the same member, or else of all. */
async function makeRoomForFailure(tx: Transaction, { workspaceId, origin }: Copy): Promise<void> {
  const jobs = await jobsOf(tx, workspaceId);
  const failures = jobs.filter((job) => job.kind === 'copy-failed');
  if (failures.length < MAX_FAILURES) return;
  await tx.jobs.remove(failures.find(({ userId }) => userId === origin.userId) ?? failures[0]!);
}
