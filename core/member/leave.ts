import { leaveJob } from '../jobs/leave-job.ts';
import { RECORDS_AT_ONCE } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Member } from '../model/member.ts';
import type { Structure } from '../model/structure.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { revokeIssued } from '../invitation/revoke-issued.ts';
import { assignmentOf } from '../task/assignment.ts';
import { detach } from '../task/detach.ts';
import { originOf } from '../write/journal.ts';

/**
 * Ends a membership, in a small transaction however much the member has. What they were given, the invitations they
 * issued and their assignments carry the number of the membership, and count as gone from here on. Assignments and
 * invitations beyond a few are removed by a job.
 */
export async function leave(tx: Transaction, context: Context, structure: Structure, member: Member): Promise<void> {
  const { id: memberId, workspaceId, membership } = member;
  const at = timestamp(context);
  const assigned = await detach(tx, workspaceId, 'assignees', assignmentOf(member), RECORDS_AT_ONCE, at);
  const issued = await revokeIssued(tx, { workspaceId, memberId, membership }, RECORDS_AT_ONCE, at);
  await tx.structures.change(structure, { members: [changed(member, { active: false, leftAt: at }, at)] });
  if (!assigned && !issued) return;
  const job = { kind: 'membership-end', id: context.ids.next(), workspaceId, memberId, membership } as const;
  await leaveJob(tx, context, { ...job, notBefore: null, origin: originOf(context) });
}
