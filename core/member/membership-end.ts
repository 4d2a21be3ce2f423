import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { timestamp } from '../kernel/record.ts';
import { conflict } from '../kernel/errors.ts';
import { readSlices } from '../kernel/slices.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Job, MembershipEnd } from '../model/job.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import { revokeIssued } from '../invitation/revoke-issued.ts';
import { assignmentOf } from '../task/assignment.ts';
import { detach } from '../task/detach.ts';
import { unassignItems } from '../checklist/unassign.ts';

/** An item of a checklist is written with its task. */
const ITEMS_PER_STEP = RECORDS_PER_STEP / 2;

/**
 * Removes a batch of the assignments of the membership, of tasks and then of items of checklists. When none are left, it
 * revokes a batch of the invitations issued in it.
 */
export async function membershipEndStep(
  tx: Transaction,
  job: MembershipEnd,
  ports: StepPorts,
): Promise<MembershipEnd | null> {
  // The workspace was deleted, and its tasks with it.
  if ((await tx.structures.get(job.workspaceId)) === null) return null;
  const ended = endedAssignment(job);
  const now = timestamp(ports);
  if (await detach(tx, job.workspaceId, 'assignees', ended, RECORDS_PER_STEP, now)) return job;
  if (await unassignItems(tx, job.workspaceId, ended, ITEMS_PER_STEP, now)) return job;
  return (await revokeIssued(tx, job, RECORDS_PER_STEP, now)) ? job : null;
}

/** The most ended memberships of one member that may wait for their jobs. */
const MAX_ENDING = 8;

/**
 * Checked before a member rejoins: each ended membership may have a job, and some reads read all of these jobs.
 *
 * @throws `being-removed` if too many of their earlier memberships still have jobs
 */
export async function requireFewEnding(tx: ReadTransaction, { workspaceId, id }: Member): Promise<void> {
  let ending = 0;
  for await (const job of endingJobs(tx, workspaceId)) if (job.memberId === id) ending += 1;
  if (ending < MAX_ENDING) return;
  throw conflict('being-removed', 'Assignments of earlier memberships are still being removed: try again in a minute.');
}

const JOBS_PER_QUERY = 500;

/**
 * Assignments of ended memberships that tasks of a workspace may still hold, because a job is removing them. O(ended
 * memberships that have jobs), of which a member has {@link MAX_ENDING} at most.
 */
export async function endedAssignments(
  tx: Pick<ReadTransaction, 'jobs'>,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const ended = new Set<string>();
  for await (const job of endingJobs(tx, workspaceId)) ended.add(endedAssignment(job));
  return ended;
}

async function* endingJobs(
  tx: Pick<ReadTransaction, 'jobs'>,
  workspaceId: string,
): AsyncIterableIterator<MembershipEnd> {
  const slices = readSlices<Job>(JOBS_PER_QUERY, ({ after, limit }) =>
    tx.jobs.list('membershipEnds', { workspaceId }, { after: after?.id ?? null, limit }),
  );
  for await (const jobs of slices) for (const job of jobs) if (job.kind === 'membership-end') yield job;
}

function endedAssignment({ memberId, membership }: MembershipEnd): string {
  return assignmentOf({ id: memberId, membership });
}
